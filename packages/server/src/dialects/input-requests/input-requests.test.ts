import type { HoldpointService, Interaction, InteractionFilter } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { findByToolCall } from './input-requests.ts';

test('looks through the newest pages, and not through all there are', async () => {
  const asked: InteractionFilter[] = [];
  const service = {
    listInteractions: async (filter: InteractionFilter) => {
      asked.push(filter);
      const id = `${asked.length}`;
      const data = [{ id, run: { id: 'r', toolCallId: asked.length % 15 === 0 ? 'c' : 'd' } } as Interaction];
      return { data, next: id };
    },
  } as unknown as HoldpointService;
  const found = await findByToolCall(service, { threadId: 't', runId: 'r', toolCallId: 'c' });
  expect(found.map(({ id }) => id)).toEqual(['15']);
  const page = { threadId: 't', runId: 'r', order: 'newest', limit: 200 };
  expect(asked).toEqual([page, ...Array.from({ length: 19 }, (_, index) => ({ ...page, cursor: `${index + 1}` }))]);
});
