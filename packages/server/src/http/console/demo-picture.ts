/** The picture that the demo shows: the way of a release, in the colours of light and dark. */
const stops = ['Details', 'Approval', 'Roll-out', 'Sign-off', 'Announce'];
const gap = 132;
const first = 56;

const stop = (label: string, index: number): string => {
  const x = first + index * gap;
  return `<circle class="stop" cx="${x}" cy="56" r="24"/><text class="number" x="${x}" y="63">${index + 1}</text><text x="${x}" y="114">${label}</text>`;
};

export const demoPicture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 140" width="640" height="140" role="img" aria-label="The way of a release">
<style>
.page { fill: #f5f6f9 }
.way { stroke: #868d9c; stroke-width: 4; stroke-dasharray: 2 10; stroke-linecap: round }
.stop { fill: #2f56d9 }
text { font: 500 21px system-ui, sans-serif; text-anchor: middle; fill: #1b1d22 }
.number { fill: #fff; font-weight: 700; font-size: 20px }
@media (prefers-color-scheme: dark) {
.page { fill: #20232b }
.way { stroke: #6c7484 }
.stop { fill: #8fa8ff }
text { fill: #eceef3 }
.number { fill: #0d1330 }
}
</style>
<rect class="page" width="640" height="140" rx="14"/>
<line class="way" x1="${first}" y1="56" x2="${first + 4 * gap}" y2="56"/>
${stops.map(stop).join('\n')}
</svg>
`;
