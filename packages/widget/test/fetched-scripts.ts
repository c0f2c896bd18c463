/** The scripts of the widget that a page fetches, in transferred bytes. A bundle that does not run has no size. */
import { gzipSync } from 'node:zlib';
import type { CreateInteraction } from '@holdpoint/protocol';
import type { Page, Response } from 'playwright-core';

/** The form whose size we state: none of its controls loads later. */
export const usualForm = {
  title: 'Plan the release',
  fields: [
    { type: 'text', name: 'name', label: 'Name', required: true },
    { type: 'select', name: 'stage', label: 'Stage', options: ['staging', 'production'] },
    { type: 'date', name: 'day', label: 'Day' },
    { type: 'rating', name: 'risk', label: 'Risk', maxStars: 5 },
  ],
} satisfies CreateInteraction;

/** Counts each script once, by its name. Call the result after the page has loaded everything. */
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
