/** Filters and sorts pending requests. Fast enough to run on every key press with 20,000 requests. */
import type { Names } from './names.ts';
import type { PendingItem } from './pending-items.ts';

export interface Wanted {
  text: string;
  thread: string;
  agent: string;
  kind: string;
  age: string;
  due: string;
  order: string;
}

export const everything: Wanted = { text: '', thread: '', agent: '', kind: '', age: '', due: '', order: '' };

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The kinds of request, as users see them. */
export const kindWords = { approval: 'Approval', choice: 'Choice', form: 'Form', input: 'Input' } as const;

export const ages = {
  'last-hour': 'Created in the last hour',
  'last-day': 'Created in the last day',
  'over-hour': 'Pending for over an hour',
  'over-day': 'Pending for over a day',
  'over-week': 'Pending for over a week',
} as const;

export const dues = {
  hour: 'Due within an hour',
  day: 'Due within a day',
  some: 'With a deadline',
  none: 'Without a deadline',
} as const;

export const orders = {
  '': 'Most urgent first',
  oldest: 'Oldest first',
  newest: 'Newest first',
} as const;

const ageFits: Record<keyof typeof ages, (ageMs: number) => boolean> = {
  'last-hour': (age) => age <= hourMs,
  'last-day': (age) => age <= dayMs,
  'over-hour': (age) => age > hourMs,
  'over-day': (age) => age > dayMs,
  'over-week': (age) => age > 7 * dayMs,
};

const dueFits: Record<keyof typeof dues, (leftMs: number | undefined) => boolean> = {
  hour: (left) => left !== undefined && left <= hourMs,
  day: (left) => left !== undefined && left <= dayMs,
  some: (left) => left !== undefined,
  none: (left) => left === undefined,
};

export function narrow(
  items: readonly PendingItem[],
  wanted: Wanted,
  { names, now }: { names: Names; now: number },
): readonly PendingItem[] {
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitsAge = isKey(ages, wanted.age) ? ageFits[wanted.age] : undefined;
  const fitsDue = isKey(dues, wanted.due) ? dueFits[wanted.due] : undefined;
  return items.filter(({ interaction, text }) => {
    const { threadId, kind, createdAt, deadline } = interaction;
    if (wanted.thread && threadId !== wanted.thread) return false;
    if (wanted.kind && kind !== wanted.kind) return false;
    if (wanted.agent && names.agentOf(interaction) !== wanted.agent) return false;
    if (fitsAge && !fitsAge(now - Date.parse(createdAt))) return false;
    if (fitsDue && !fitsDue(deadline && Date.parse(deadline.at) - now)) return false;
    return words.every((word) => text.includes(word) || names.textOf(interaction).includes(word));
  });
}

function isKey<T extends object>(table: T, key: string): key is Extract<keyof T, string> {
  return Object.hasOwn(table, key);
}

/** UTC times and time-ordered ids sort as text, so half a million comparisons need no parsing. */
export function sorted(items: readonly PendingItem[], order: string): readonly PendingItem[] {
  const byAge = (a: PendingItem, b: PendingItem) => compare(a.interaction.createdAt, b.interaction.createdAt);
  const byId = (a: PendingItem, b: PendingItem) => compare(a.interaction.id, b.interaction.id);
  const byDue = (a: PendingItem, b: PendingItem) =>
    compare(a.interaction.deadline?.at ?? '9', b.interaction.deadline?.at ?? '9');
  if (order === 'newest') return [...items].sort((a, b) => byAge(b, a) || byId(b, a));
  if (order === 'oldest') return [...items].sort((a, b) => byAge(a, b) || byId(a, b));
  return [...items].sort((a, b) => byDue(a, b) || byAge(a, b) || byId(a, b));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
