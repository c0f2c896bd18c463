/** Every generation of the official client asks a person by ask_human and receives the answer, over HTTP and stdio. */
import { afterAll, describe, expect, test } from 'vitest';
import { adminKey, startTestServer } from '../test-server.ts';
import { onceWaitedAt } from './mcp-client.ts';
import { type Answering, type Form, type Sdk, sdks } from './sdk-clients.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());

const question = { title: 'Where to?', options: ['staging', 'production'] };
const ways = sdks.flatMap((sdk) => [
  [sdk.name, 'HTTP', sdk] as const,
  // What a process of its own adds is the same for every version of the protocol.
  ...(sdk.name.startsWith('1.') ? [[sdk.name, 'stdio', sdk] as const] : []),
]);
const connect = (sdk: Sdk, way: string, answering?: Answering) =>
  way === 'HTTP' ? sdk.overHttp(server.url, adminKey, answering) : sdk.overStdio(server.url, adminKey, answering);

describe.each(ways)('the SDK %s over %s', (_name, way, sdk) => {
  test('[MC2] [AH7] [AH13] asks a person in the inbox, hears that the call waits, and receives the answer', async () => {
    await using client = await connect(sdk, way);
    expect(await client.toolNames()).toEqual(['ask_human', 'wait_for_human']);
    const heard: object[] = [];
    const asking = client.call('ask_human', question, (progress) => heard.push(progress));
    await onceWaitedAt(server, async (id) => {
      await expect.poll(() => heard.length).toBeGreaterThan(0);
      await server.admin.post(`/v1/interactions/${id}/answers`, { values: { choice: 'staging' } });
    });
    expect(await asking).toMatchObject({ status: 'answered', values: { choice: 'staging' } });
    expect(heard[0]).toMatchObject({ progress: expect.any(Number), message: expect.stringContaining('person') });
  });
});

describe.each(ways.filter(([, , sdk]) => sdk.showsForms))('the SDK %s over %s', (_name, way, sdk) => {
  test('[AH2] [AH11] asks its own user by a form, and receives the answer', async () => {
    const seen: Form[] = [];
    await using client = await connect(sdk, way, (form) => {
      seen.push(form);
      return { action: 'accept', content: { choice: 'production' } };
    });
    expect(await client.call('ask_human', question)).toMatchObject({
      status: 'answered',
      values: { choice: 'production' },
      answered_by: { type: 'human' },
    });
    expect(seen).toMatchObject([{ message: 'Where to?', requestedSchema: { required: ['choice'] } }]);
  });
});
