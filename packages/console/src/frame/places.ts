/** The pages one goes to, in the order in which they are shown, with the keys that lead there. */
import type { IconName } from '../parts/icon.tsx';

export interface Place {
  page: string;
  title: string;
  /** Where there is little room. */
  short?: string;
  icon: IconName;
  /** Pressed after g. */
  key: string;
}

export const places: readonly Place[] = [
  { page: 'overview', title: 'Overview', icon: 'overview', key: 'o' },
  { page: 'inbox', title: 'Inbox', icon: 'inbox', key: 'i' },
  { page: 'threads', title: 'Threads', icon: 'threads', key: 't' },
  { page: 'runs', title: 'Runs', icon: 'runs', key: 'r' },
  { page: 'playground', title: 'Playground', short: 'Play', icon: 'playground', key: 'p' },
  { page: 'deliveries', title: 'Deliveries', icon: 'deliveries', key: 'd' },
  { page: 'settings', title: 'Settings', icon: 'settings', key: 's' },
];
