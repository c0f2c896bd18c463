/** The tools at /mcp, called by the official client, in each version of MCP. */
import { type Case, casesOf, expectLike } from '../case.ts';
import { callTool, mcpVersions, resultOf, withMcp } from '../mcp-client.ts';
import { inputRequest } from '../speakers.ts';
import type { World } from '../world.ts';

const toolNames = [
  'ask_human',
  'wait_for_human',
  'create_input_request',
  'list_input_requests',
  'get_input_request',
  'submit_input_request_response',
  'cancel_input_request',
];

/** Expects that a tool refuses the input, with a text that contains the code. */
async function refused(world: World, code: string, name: string, input: Record<string, unknown>, key?: string) {
  const call = { name, arguments: input };
  const result = await withMcp(world, (client) => client.callTool(call), '2026-07-28', key ?? world.key);
  const text = JSON.stringify(result);
  if (!result.isError || !text.includes(code)) throw new Error(`${name} returned ${text}, expected ${code}`);
}

const versions: Case[] = mcpVersions.map((version) => ({
  suite: 'mcp',
  name: `version ${version} lists the tools and calls each`,
  async run(world) {
    const conversation_id = await world.newThread();
    await withMcp(
      world,
      async (client) => {
        const { tools } = await client.listTools();
        expectLike(tools.map(({ name }) => name).sort(), [...toolNames].sort());
        const call = (name: string, input: Record<string, unknown>) =>
          resultOf(client, name, { conversation_id, ...input });
        const { id } = await call('create_input_request', inputRequest('choice'));
        expectLike(await call('get_input_request', { input_request_id: id }), { id, status: 'open' });
        expectLike((await call('list_input_requests', { status: 'open' })).data, [{ id }]);
        const submitted = await call('submit_input_request_response', {
          input_request_id: id,
          values: { pick: 'yes' },
        });
        expectLike(submitted, { success: true, input_request: { id, status: 'submitted' } });
        const asking = { title: 'Deploy?', options: ['yes', 'no'], wait_seconds: 0 };
        const { interaction_id, status } = await resultOf(client, 'ask_human', {
          ...asking,
          thread_id: conversation_id,
        });
        expectLike(status, 'pending');
        expectLike(await resultOf(client, 'wait_for_human', { interaction_id, wait_seconds: 0 }), {
          status,
          interaction_id,
        });
        const other = await call('create_input_request', inputRequest('text'));
        const cancelled = await call('cancel_input_request', { input_request_id: other.id });
        expectLike(JSON.stringify(cancelled).includes('"cancelled"'), true);
      },
      version,
    );
  },
}));

const others = casesOf('mcp', {
  'a refusal is an error of the tool that says why': async (world) => {
    const conversation_id = await world.newThread();
    const field = { name: 'a', type: 'text' };
    for (const [code, bad] of [
      ['', { title: 7 }],
      ['', { surprise: 1 }],
      ['duplicate', { fields: [field, field] }],
    ] as const)
      await refused(world, code, 'create_input_request', { conversation_id, ...inputRequest('choice'), ...bad });
    const { id } = await callTool(world, 'create_input_request', { conversation_id, ...inputRequest('choice') });
    const submit = { conversation_id, input_request_id: id, values: { pick: 'yes' } };
    const wrong = { ...submit, values: { pick: 'maybe', other: 1 } };
    await refused(world, 'invalid-answer', 'submit_input_request_response', wrong);
    await callTool(world, 'submit_input_request_response', submit);
    await refused(world, 'interaction-already-answered', 'submit_input_request_response', submit);
  },
  'the same run and tool call is the same request, and with another body a conflict': async (world) => {
    const input = { conversation_id: await world.newThread(), ...inputRequest('choice') };
    const { id } = await callTool(world, 'create_input_request', input);
    expectLike((await callTool(world, 'create_input_request', input)).id, id);
    await refused(world, 'idempotency-key-reused', 'create_input_request', { ...input, title: 'Other?' });
  },
  'a request without a conversation is refused': async (world) => {
    await refused(world, 'conversation_id', 'create_input_request', inputRequest('choice'));
  },
  "another org's things do not exist": async (world) => {
    const conversation_id = await world.newThread();
    const { id } = await callTool(world, 'create_input_request', { conversation_id, ...inputRequest('choice') });
    const key = await world.stranger();
    await refused(world, 'not-found', 'get_input_request', { conversation_id, input_request_id: id }, key);
  },
});

export const mcp: Case[] = [...versions, ...others];
