/** The page of the blocks describes roles, and a flow that ends without a message. */
import type { Message, Page } from '@holdpoint/protocol';
import { afterAll, expect, test } from 'vitest';
import { startSite } from './blocks-client.ts';

const site = await startSite();
afterAll(() => site[Symbol.asyncDispose]());

test('[BL4] a reply has blocks of the agent alone, and the history of the conversation every role', async () => {
  const { admin, open } = site;
  const { say, conversationId } = await open();
  await admin.post(`/v1/threads/${conversationId}/messages`, { role: 'system', text: 'The shop is closed.' });
  const { blocks } = await say('hello');
  expect(blocks.map(({ payload }) => payload.role)).toEqual(['agent', 'agent']);
  const { body } = await admin.get<Page<Message>>(`/v1/threads/${conversationId}/messages?order=oldest`);
  expect(body.data.map(({ role }) => role)).toEqual(['system', 'user', 'agent', 'agent']);
});

test('[BL3] a turn that ends without a message has no blocks, and takes no further input', async () => {
  const { say, resume, poll } = await site.open();
  const ended = await say('nothing');
  expect(ended).toMatchObject({ status: 'completed', blocks: [], expectedInput: null, waitToken: null });
  expect(await poll(ended.executionId)).toEqual(ended);
  expect((await resume({ ...ended, waitToken: 'message.1' }, { text: 'more' })).status).toBe(409);
});
