import type { HoldpointService, Message, MessageFilter } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { history } from './history.ts';

test('[L20] history continues after short pages, up to its limit', async () => {
  const ids = ['5', '4', '3', '2', '1'];
  const listMessages = async ({ cursor, limit = 0 }: MessageFilter) => {
    const start = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
    const page = ids.slice(start, start + Math.min(limit, 2));
    const last = page.at(-1);
    return { data: page.map((id) => ({ id }) as Message), ...(last === '1' ? {} : { next: last }) };
  };
  const place = { service: { listMessages } as unknown as HoldpointService, threadId: 't', runId: 'r' };
  const idsOf = async (limit?: number) => (await history(place, limit)).map(({ id }) => id);
  expect(await idsOf()).toEqual(['1', '2', '3', '4', '5']);
  expect(await idsOf(3)).toEqual(['3', '4', '5']);
});
