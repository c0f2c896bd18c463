/** What a page fetches of the widget, in bytes as they travel: so a bundle that does not run has no size. */
import { gzipSync } from 'node:zlib';
import type { CreateInteraction } from '@holdpoint/protocol';
import type { Page, Response } from 'playwright-core';

/** The form whose size is told: nothing in it is lazy, and nothing is left out. */
export const usualForm = {
  title: 'Plan the release',
  fields: [
    { type: 'text', name: 'name', label: 'Name', required: true },
    { type: 'select', name: 'stage', label: 'Stage', options: ['staging', 'production'] },
    { type: 'date', name: 'day', label: 'Day' },
    { type: 'rating', name: 'risk', label: 'Risk', maxStars: 5 },
  ],
} satisfies CreateInteraction;

/** Each script once, by its name; to be read when the page has all that it needs. */
export function fetchedScripts(page: Page): () => Promise<Record<string, number>> {
  const replies = new Map<string, Response>();
  page.on('response', (reply) => {
    const name = /\/widget\/([\w-]+\.js)$/.exec(new URL(reply.url()).pathname)?.[1];
    if (name && reply.ok()) replies.set(name, reply);
  });
  return async () => {
    const sizes: Record<string, number> = {};
    for (const [name, reply] of replies) sizes[name] = gzipSync(await reply.body(), { level: 9 }).length;
    return sizes;
  };
}

export const sumOf = (sizes: Record<string, number>): number =>
  Object.values(sizes).reduce((sum, size) => sum + size, 0);
