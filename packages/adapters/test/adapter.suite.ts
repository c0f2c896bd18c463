/** What every adapter must show, with its real framework, the real server, and agents that die. */
import { fileURLToPath } from 'node:url';
import type { Holdpoint } from '@holdpoint/client';
import { type Interaction, pickField } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import { adminKey, type Spawned } from './spawned.ts';
import { patience, stageOfATest } from './stage.ts';
import { watchCalls } from './watched-calls.ts';

export interface AskedQuestion {
  title: string;
  /** From when it is asked; it expires then. */
  deadlineMs?: number;
}

/** How it ended, as the agent prints it under the title of the question. */
export interface FinalOutcome {
  status: string;
  values?: Record<string, unknown>;
}

const hourMs = 3_600_000;
const first = { title: 'Deploy the release?' };
const second = { title: 'Delete the old database?' };

/** `name`: of the program in agents/. */
export function adapterSuite(name: string): void {
  const openStage = stageOfATest();
  const program = fileURLToPath(new URL(`./agents/${name}.ts`, import.meta.url));

  async function stage(questions: AskedQuestion[]) {
    const disposables = new AsyncDisposableStack();
    const opened = disposables.use(await openStage());
    const { hp, thread, model, processes, server, everything } = opened;
    const calls = disposables.use(await watchCalls(server));
    const env = {
      HOLDPOINT_URL: calls.url,
      HOLDPOINT_API_KEY: adminKey,
      THREAD_ID: thread.id,
      STATE_FOLDER: processes.newFolder(),
      MODEL_URL: model.url,
      QUESTIONS: JSON.stringify(questions),
    };
    return {
      hp,
      calls,
      everything,
      start: (): Spawned => processes.start([program], env),
      asked: () => opened.asked(questions.length),
      [Symbol.asyncDispose]: () => disposables.disposeAsync(),
    };
  }

  describe(name, () => {
    test('[AD1] asks, and goes on with the answer', async () => {
      await using at = await stage([first]);
      const agent = at.start();
      const [question] = await at.asked();
      expect(question).toMatchObject({ status: 'pending' });
      await allow(at.hp, question);
      expect(await outcomesOf(agent)).toEqual({ [first.title]: allowed(question) });
    });

    test('[AD1] a person declines', async () => {
      await using at = await stage([first]);
      const agent = at.start();
      const [question] = await at.asked();
      await at.hp.decline(question?.id ?? '', 'Not on a Friday.');
      expect(await outcomesOf(agent)).toEqual({ [first.title]: { status: 'declined' } });
    });

    test('[AD1] nobody answers in time', async () => {
      await using at = await stage([{ ...first, deadlineMs: hourMs }]);
      const agent = at.start();
      const [question] = await at.asked();
      expect(question?.deadline).toMatchObject({ outcome: 'expire' });
      // Moved to where a test can wait for it; on a busy machine half a second may be over before it is set.
      await expect.poll(() => expireSoon(at.hp, question), patience).toBe(true);
      expect(await outcomesOf(agent)).toEqual({ [first.title]: { status: 'expired' } });
    });

    test('[AD1] the question is withdrawn', async () => {
      await using at = await stage([first]);
      const agent = at.start();
      const [question] = await at.asked();
      await at.hp.cancel(question?.id ?? '', 'It is done already.');
      expect(await outcomesOf(agent)).toEqual({ [first.title]: { status: 'cancelled' } });
    });

    test('[AD2] kill -9 after it has asked, answered while it is dead', async () => {
      await using at = await stage([first]);
      const agent = at.start();
      const [question] = await at.asked();
      await agent.kill();
      await allow(at.hp, question);
      expect(await outcomesOf(at.start())).toEqual({ [first.title]: allowed(question) });
      expect(await at.everything()).toHaveLength(1);
    });

    test('[AD2] kill -9 after it has asked, answered when it is there again', async () => {
      // With a deadline of an hour: one who goes on must not take it for another question because time has passed.
      await using at = await stage([{ ...first, deadlineMs: hourMs }]);
      const agent = at.start();
      const [question] = await at.asked();
      await agent.kill();
      const before = at.calls.count;
      const again = at.start();
      await expect.poll(() => at.calls.count, patience).toBeGreaterThan(before);
      await allow(at.hp, question);
      expect(await outcomesOf(again)).toEqual({ [first.title]: allowed(question) });
      expect(await at.everything()).toHaveLength(1);
    });

    test('[AD3] two questions at once, answered in the other order', async () => {
      await using at = await stage([first, second]);
      const agent = at.start();
      const asked = await at.asked();
      const byTitle = (title: string) => asked.find((each) => each.title.includes(title) || hasTitle(each, title));
      await allow(at.hp, byTitle(second.title));
      await at.hp.decline(byTitle(first.title)?.id ?? '');
      expect(await outcomesOf(agent)).toEqual({
        [first.title]: { status: 'declined' },
        [second.title]: allowed(byTitle(second.title)),
      });
    });
  });
}

const hasTitle = ({ arguments: args }: Interaction, title: string): boolean => args?.title === title;

/** By the first option that allows something. */
function picked(question: Interaction | undefined): Record<string, unknown> {
  const field = question && pickField(question);
  const option = field?.options.find(({ kind }) => !kind?.startsWith('reject'));
  if (!field || !option) throw new Error('The agent asked something that is no choice.');
  return { [field.name]: option.value };
}

const allow = (hp: Holdpoint, question: Interaction | undefined) => hp.answer(question?.id ?? '', picked(question));

const expireSoon = (hp: Holdpoint, question: Interaction | undefined): Promise<boolean> =>
  hp
    .updateInteraction({
      interactionId: question?.id ?? '',
      deadline: { at: new Date(Date.now() + 500).toISOString(), outcome: 'expire' },
    })
    .then(
      () => true,
      () => false,
    );

const allowed = (question: Interaction | undefined) => ({
  status: 'answered',
  values: expect.objectContaining(picked(question)),
});

/** Its last line, without what a reason may say. */
async function outcomesOf(agent: Spawned): Promise<Record<string, FinalOutcome>> {
  const lines = (await agent.output()).trim().split('\n');
  const outcomes: Record<string, FinalOutcome> = JSON.parse(lines.at(-1) ?? '');
  return Object.fromEntries(
    Object.entries(outcomes).map(([title, { status, values }]) => [title, values ? { status, values } : { status }]),
  );
}
