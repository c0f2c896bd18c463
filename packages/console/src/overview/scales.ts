/** The tops of scales that people read without reckoning. */
const steps = [1, 2, 4, 6, 10];

/** The next of 2, 4, 6, 10, 20, 40 …: its half is a whole number too. */
export function countScale(highest: number): number {
  for (let power = 1; ; power *= 10)
    for (const step of steps) if (step * power >= Math.max(2, highest) && (step * power) % 2 === 0) return step * power;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const durations = [
  ...[2, 10, 20, 60].map((count) => count * second),
  ...[2, 4, 10, 20, 60].map((count) => count * minute),
  ...[2, 4, 12, 24].map((count) => count * hour),
  ...[2, 4, 10, 20, 60].map((count) => count * day),
];

export const durationScale = (highest: number): number =>
  durations.find((each) => each >= highest) ?? Math.ceil(highest / (2 * day)) * 2 * day;
