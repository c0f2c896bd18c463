/** The page that an agent's MCP client opens for its user: the request, after the user signed in. */
import type { Interaction } from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { stageOfThisFile } from '../../widget/test/stage.ts';
import { enter, expectWhole, heading } from './enter.ts';

const stage = stageOfThisFile({ flags: ['--public-url', 'http://console.example.com', '--no-demo'] });

interface Result {
  requestState: string;
  inputRequests: { answer: { params: { url: string } } };
  structuredContent: { status: string; values: object; answered_by: { type: string } };
}

/** Calls the tool as a client of protocol version 2026-07-28 that can open a URL. */
async function askHuman(key: string, more: object): Promise<Result> {
  const fields = [{ name: 'why', type: 'textarea', label: 'Why', required: true }];
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  };
  const params = { name: 'ask_human', arguments: { title: 'Ship it?', fields }, ...more, _meta };
  const response = await fetch(`${stage.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'ask_human',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  return ((await response.json()) as { result: Result }).result;
}

test('[AH6] the address leads to the question after sign-in, and the agent receives the answer', async () => {
  const { secret } = await stage.call<{ secret: string }>('/v1/keys', { name: 'an agent', role: 'agent' });
  const { requestState, inputRequests } = await askHuman(secret, {});
  const { origin, hash } = new URL(inputRequests.answer.params.url);
  expect(origin).toBe('http://console.example.com');
  // A link that is opened in the same tab returns to the question.
  const page = await enter(stage, hash.slice('#/'.length), { signedIn: false });
  await heading(page, 'Sign in to Holdpoint').waitFor();
  await page.goto(`${stage.url}/${await stage.linkFor()}`);
  await page.getByLabel('Your name').fill('Ada Rossi');
  await page.keyboard.press('Enter');
  await page.getByLabel('Why').fill('It is ready');
  await expectWhole(page);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const status = async () => (await stage.call<Interaction>(`/v1/interactions/${hash.split('/').at(-1)}`)).status;
  await expect.poll(status).toBe('answered');
  const result = await askHuman(secret, { requestState, inputResponses: { answer: { action: 'accept' } } });
  expect(result.structuredContent).toMatchObject({
    status: 'answered',
    values: { why: 'It is ready' },
    answered_by: { type: 'human' },
  });
});
