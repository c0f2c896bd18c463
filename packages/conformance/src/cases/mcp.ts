/** The tools at /mcp, by the official client, in each version of the protocol that is spoken. */
import { type Case, casesOf, expectLike } from '../case.ts';
import { callTool, mcpVersions, withMcp } from '../mcp-client.ts';
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

/** The fault of a tool, which is the same as that of its call. */
async function refusal(world: World, name: string, input: Record<string, unknown>, key?: string) {
  const result = await withMcp(
    world,
    (client) => client.callTool({ name, arguments: input }),
    '2026-07-28',
    key ?? world.key,
  );
  if (!result.isError) throw new Error(`${name} did not refuse: ${JSON.stringify(result)}`);
  const [block] = result.content as { text: string }[];
  return block?.text ?? '';
}

const refusedWith = (text: string, code: string): void => {
  if (!text.includes(code)) throw new Error(`it was refused with ${text}, expected ${code}`);
};

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
        const withoutPlace = async (name: string, input: Record<string, unknown>) => {
          const result = await client.callTool({ name, arguments: input });
          if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
          // biome-ignore lint/suspicious/noExplicitAny: the cases check what a server answers.
          return result.structuredContent as any;
        };
        const call = (name: string, input: Record<string, unknown>) =>
          withoutPlace(name, { conversation_id, ...input });
        const { id } = await call('create_input_request', inputRequest('choice'));
        expectLike(await call('get_input_request', { input_request_id: id }), { id, status: 'open' });
        expectLike((await call('list_input_requests', { status: 'open' })).data, [{ id }]);
        const submitted = await call('submit_input_request_response', {
          input_request_id: id,
          values: { pick: 'yes' },
        });
        expectLike(submitted, { success: true, input_request: { id, status: 'submitted' } });
        const asking = { title: 'Deploy?', options: ['yes', 'no'], wait_seconds: 0 };
        const { interaction_id, status } = await withoutPlace('ask_human', { ...asking, thread_id: conversation_id });
        expectLike(status, 'pending');
        expectLike(await withoutPlace('wait_for_human', { interaction_id, wait_seconds: 0 }), {
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
    const create = (more: object) =>
      refusal(world, 'create_input_request', { conversation_id, ...inputRequest('choice'), ...more });
    await create({ title: 7 });
    await create({ surprise: 1 });
    const field = { name: 'a', type: 'text' };
    refusedWith(await create({ fields: [field, field] }), 'duplicate');
    const { id } = await callTool(world, 'create_input_request', { conversation_id, ...inputRequest('choice') });
    const submit = { conversation_id, input_request_id: id, values: { pick: 'yes' } };
    const wrong = { ...submit, values: { pick: 'maybe', other: 1 } };
    refusedWith(await refusal(world, 'submit_input_request_response', wrong), 'invalid-answer');
    await callTool(world, 'submit_input_request_response', submit);
    refusedWith(await refusal(world, 'submit_input_request_response', submit), 'interaction-already-answered');
  },
  'the same run and tool call is the same request, and with another body a conflict': async (world) => {
    const input = { conversation_id: await world.newThread(), ...inputRequest('choice') };
    const { id } = await callTool(world, 'create_input_request', input);
    expectLike((await callTool(world, 'create_input_request', input)).id, id);
    refusedWith(await refusal(world, 'create_input_request', { ...input, title: 'Other?' }), 'idempotency-key-reused');
  },
  'a request without a conversation is refused': async (world) => {
    refusedWith(await refusal(world, 'create_input_request', inputRequest('choice')), 'conversation_id');
  },
  "another org's things do not exist": async (world) => {
    const conversation_id = await world.newThread();
    const { id } = await callTool(world, 'create_input_request', { conversation_id, ...inputRequest('choice') });
    const key = await world.stranger();
    refusedWith(await refusal(world, 'get_input_request', { conversation_id, input_request_id: id }, key), 'not-found');
  },
});

export const mcp: Case[] = [...versions, ...others];
