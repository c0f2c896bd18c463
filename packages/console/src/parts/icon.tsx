/** The icons of the console, in the color of the text next to them. */
const paths = {
  overview: 'M3.5 13.5v-4M8 13.5v-11M12.5 13.5v-7',
  inbox: 'M2 9.5 4 3h8l2 6.5V13H2zM2 9.5h3.5l1 1.5h3l1-1.5H14',
  threads: 'M2.5 3h11v7.5H7L4 13v-2.5H2.5zM5.2 5.8h5.6M5.2 8h3.6',
  playground: 'M6 2.5h4M7 2.5v4l-4 7h10l-4-7v-4M5 10.5h6',
  deliveries: 'M14 2 2 7l4.5 2L14 2 9 14 6.5 9',
  runs: 'M13.5 8A5.5 5.5 0 1 1 11.6 3.8M13.5 2v3h-3M8 5v3.2l2 1.3',
  people:
    'M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13c0-2.2 2-3.5 4.5-3.5s4.5 1.3 4.5 3.5M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12 9.8c1.6.5 2.5 1.6 2.5 3.2',
  settings: 'M2 4.5h6M12 4.5h2M2 11.5h2M8 11.5h6M10 2.8v3.4M6 9.8v3.4',
  help: 'M6 6.2A2 2 0 1 1 8.6 8c-.4.2-.6.5-.6 1v.4M8 11.6v.1M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  key: 'M9.5 6.5 14 2M12 4l1.5 1.5M9.8 9A3.3 3.3 0 1 1 7 6.2 3.3 3.3 0 0 1 9.8 9z',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  done: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  more: 'M6 3.5 10.5 8 6 12.5',
  back: 'M10 3.5 5.5 8 10 12.5',
  warning: 'M8 2 1.5 13.5h13zM8 6.5v3.2M8 11.6v.1',
  search: 'M11 11l3 3M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0z',
  agent: 'M3 5.5h10v7H3zM8 5.5v-3M6 8.5v1M10 8.5v1',
  light:
    'M8 5a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7',
  dark: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z',
  system: 'M2 3h12v8H2zM6 13.5h4M8 11v2.5',
  leave: 'M6.5 2.5H3v11h3.5M10.5 5l3 3-3 3M13.5 8H6.5',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={paths[name]} />
    </svg>
  );
}
