/** An approval that only a deadline accepted, as the client, a durable agent, MCP and the command line report it. */
import { agent, runAgents } from '@holdpoint/agents';
import { Holdpoint, httpService } from '@holdpoint/client';
import { approval, type Interaction } from '@holdpoint/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { pendingOf, settled, startThread } from './agents/agent-client.ts';
import { commandsFor } from './commands/commands-of-a-test.ts';
import { connectMcp, modern, waitOn } from './mcp/mcp-client.ts';
import { adminKey, startTestServer } from './test-server.ts';

const server = await startTestServer();
afterAll(() => server[Symbol.asyncDispose]());
const access = { url: server.url, key: adminKey };
const hp = new Holdpoint(access);

const hourMs = 3_600_000;
const allow = { decision: 'allow' };
const accepting = () => ({
  recommendations: allow,
  deadline: { at: new Date(server.clock.now() + hourMs).toISOString(), outcome: 'recommended' as const },
});

/** An approval that its deadline has accepted. */
async function acceptedByDeadline(): Promise<Interaction> {
  const asked = await hp.create(await hp.createThread({}), { ...approval({ title: 'Pay?' }), ...accepting() });
  server.clock.offsetMs += hourMs;
  return hp.wait(asked);
}

describe('an approval that a deadline accepts', () => {
  test.each([false, true])('[AN31] is reported by the client; counted: %s', async (countDeadlineAsApproval) => {
    const options = { countDeadlineAsApproval, idempotencyKey: `approve-${countDeadlineAsApproval}` };
    const thread = await hp.createThread({});
    const question = { title: 'Pay?', arguments: { amount: 5 }, ...accepting() };
    const approving = hp.approve(thread, question, options);
    await expect.poll(() => pendingOf(server.admin, thread.id)).toHaveLength(1);
    server.clock.offsetMs += hourMs;
    const status = countDeadlineAsApproval ? 'answered' : 'expired';
    const read = { approved: countDeadlineAsApproval, automatic: 'deadline', arguments: { amount: 5 }, edited: false };
    expect(await approving).toMatchObject({ ...read, outcome: { status, interaction: { status: 'answered' } } });
    expect(await hp.ask(thread, approval(question), options)).toMatchObject({ status, automatic: 'deadline' });
  });

  test.each([false, true])('[AN31] is reported by a durable agent; counted: %s', async (countDeadlineAsApproval) => {
    const payer = agent(`payer-${countDeadlineAsApproval}`, async (ctx) => {
      const { approved, automatic } = await ctx.approve({ title: 'Pay?' }, { countDeadlineAsApproval });
      const asked = await ctx.ask(approval({ title: 'Again?' }), { countDeadlineAsApproval });
      return [approved, automatic, asked.status];
    });
    const worker = runAgents({ service: httpService(access), agents: [payer], onError: () => {} });
    const threadId = await startThread(server.admin, payer.name);
    for (const title of ['Pay?', 'Again?']) {
      await settled(server.admin, threadId);
      const [asked] = await pendingOf(server.admin, threadId);
      expect(asked?.title).toBe(title);
      await hp.updateInteraction({ interactionId: asked?.id ?? '', ...accepting() });
      server.clock.offsetMs += hourMs;
      await hp.wait(asked ?? '');
    }
    const { result } = await settled(server.admin, threadId);
    expect(result).toEqual([countDeadlineAsApproval, 'deadline', countDeadlineAsApproval ? 'answered' : 'expired']);
    await worker.stop();
  });

  test('[AN31] is reported over MCP', async () => {
    const { id } = await acceptedByDeadline();
    await using client = await connectMcp(server.url, { ...modern });
    const result = await waitOn(client, id);
    expect(result).toMatchObject({ status: 'expired', approved: false, automatic: 'deadline' });
    expect(result).not.toHaveProperty('values');
  });

  test('[AN31][CM1] is reported by holdpoint ask', async () => {
    const { id } = await acceptedByDeadline();
    const ask = (...flags: string[]) => commandsFor(server)(['ask', '--resume', id, '--quiet', ...flags]);
    const expired = await ask();
    expect([expired.code, JSON.parse(expired.stdout)]).toMatchObject([4, { status: 'expired', automatic: 'deadline' }]);
    expect(JSON.parse(expired.stdout)).not.toHaveProperty('values');
    expect(await ask('--plain')).toMatchObject({ code: 4, stdout: '' });
    expect(await ask('--plain', '--count-deadline-as-approval')).toMatchObject({ code: 0, stdout: 'allow\n' });
  });
});

test('[AN31] a grant approves like the person who gave it, and is reported as a grant', async () => {
  const options = [
    { value: 'always', label: 'Always', kind: 'allow_always' },
    { value: 'deny', label: 'Deny', kind: 'reject_once' },
  ] as const;
  const thread = await hp.createThread({});
  const question = { title: 'Pay?', options, grant: { key: 'pay', scope: 'thread' } } as const;
  const first = hp.approve(thread, question);
  await expect.poll(() => pendingOf(server.admin, thread.id)).toHaveLength(1);
  const [asked] = await pendingOf(server.admin, thread.id);
  await hp.answer(asked?.id ?? '', { decision: 'always' });
  expect(await first).toMatchObject({ approved: true });
  expect((await first).automatic).toBeUndefined();
  const second = await hp.approve(thread, question);
  expect(second).toMatchObject({ approved: true, automatic: 'grant' });
  await using client = await connectMcp(server.url, { ...modern });
  const result = await waitOn(client, second.outcome.interaction.id);
  expect(result).toMatchObject({
    status: 'answered',
    approved: true,
    automatic: 'grant',
    values: { decision: 'always' },
  });
});
