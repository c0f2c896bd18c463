/** The pages of the navigation, and who may open them. */
import type { Myself } from '../me.ts';
import type { IconName } from '../parts/icon.tsx';

interface Place {
  page: string;
  icon: IconName;
  title: string;
  /** Shown on narrow screens. */
  short?: string;
  /** Pressed after g. */
  key: string;
  for: (me: Myself) => boolean;
}

const everybody = () => true;
const admins = ({ isAdmin }: Myself) => isAdmin;
const readers = ({ seesOrg }: Myself) => seesOrg;
const members = ({ seesOrg }: Myself) => !seesOrg;

/** In the order of the navigation. */
const places: readonly Place[] = [
  { page: 'overview', icon: 'overview', title: 'Overview', key: 'o', for: readers },
  { page: 'inbox', icon: 'inbox', title: 'Inbox', key: 'i', for: everybody },
  { page: 'threads', icon: 'threads', title: 'Threads', key: 't', for: readers },
  { page: 'runs', icon: 'runs', title: 'Runs', key: 'r', for: readers },
  { page: 'playground', icon: 'playground', title: 'Playground', short: 'Play', key: 'p', for: admins },
  { page: 'deliveries', icon: 'deliveries', title: 'Deliveries', key: 'd', for: readers },
  { page: 'people', icon: 'people', title: 'People', key: 'e', for: readers },
  { page: 'settings', icon: 'settings', title: 'Settings', key: 's', for: readers },
  // Of the settings, members have only their profile.
  { page: 'settings', icon: 'people', title: 'Profile', key: 's', for: members },
];

export const placesFor = (me: Myself): readonly Place[] => places.filter((place) => place.for(me));

export const mayOpen = (page: string, me: Myself): boolean => placesFor(me).some((place) => place.page === page);
