/** Random programs, interrupted at every write: before it, and after it but before anybody hears of it. */
import { form, text } from '@holdpoint/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AgentContext } from '../src/agent.ts';
import { Away } from '../src/engine/errors.ts';
import { execute } from './execute.ts';
import { MemoryService } from './memory-service.ts';

/** What a program does; `all` does its parts at the same time. */
type Part =
  | { do: 'step' | 'say' | 'stream' | 'ask' | 'sleep' | 'now' | 'random' | 'fail' | 'interrupt' | 'both' | 'read' }
  | { do: 'all' | 'one by one'; parts: Part[] };

const programOf = (parts: readonly Exclude<Part, { parts: Part[] }>['do'][]): fc.Arbitrary<Part> =>
  fc.letrec<{ part: Part; many: Part }>((tie) => ({
    part: fc.oneof({ maxDepth: 3, depthSize: 'medium' }, fc.record({ do: fc.constantFrom(...parts) }), tie('many')),
    many: fc.record({
      do: fc.constantFrom('all', 'one by one'),
      parts: fc.array(tie('part'), { minLength: 1, maxLength: 4 }),
    }),
  })).part;

/** Questions with this title are met with a message. */
const interruptible = 'Or say';
/** And these with a message and an answer in the same moment. */
const both = 'Both';

/** What a part gave. Each has a name by its place, so that results can be compared whatever order they came in. */
async function perform(ctx: AgentContext, part: Part, place: string): Promise<unknown> {
  switch (part.do) {
    case 'step':
      return ctx.step(place, () => `did ${place}`);
    case 'fail':
      return ctx
        .step(place, () => Promise.reject(new Error(`no ${place}`)), { attempts: 2, firstDelayMs: 5_000 })
        .catch((error: Error) => error.message);
    case 'say':
      return (await ctx.say(place)).blocks;
    case 'stream':
      return ctx.say(async function* () {
        yield `${place}, `;
        yield 'streamed';
        return place.length;
      });
    case 'ask': {
      const outcome = await ctx.ask(form({ [`f${place}`]: text() }, { title: place }));
      return outcome.status === 'answered' ? outcome.values : outcome.status;
    }
    case 'interrupt':
    case 'both': {
      const title = `${part.do === 'both' ? both : interruptible} ${place}`;
      const question = form({ [`f${place}`]: text() }, { title });
      const outcome = await ctx.ask(question, { orMessage: true });
      return outcome.status === 'message' ? outcome.message.blocks : outcome.status;
    }
    case 'read':
      return (await ctx.unread()).map(({ blocks }) => blocks);
    case 'sleep':
      return ctx.sleep(5_000 * place.length).then(() => 'slept');
    case 'now':
      return typeof (await ctx.now()).getTime();
    case 'random':
      return typeof (await ctx.random());
    case 'all':
      return Promise.all(part.parts.map((inner, index) => perform(ctx, inner, `${place}.${index}`)));
    case 'one by one': {
      const results: unknown[] = [];
      for (const [index, inner] of part.parts.entries()) results.push(await perform(ctx, inner, `${place}.${index}`));
      return results;
    }
  }
}

/** Executes until the run is over; when it waits, somebody answers, or time goes by. */
async function toTheEnd(memory: MemoryService, part: Part, isLastFirst: boolean) {
  for (let executions = 0; executions < 500; executions++) {
    const program = async (ctx: AgentContext) => [
      await perform(ctx, part, '0'),
      await perform(ctx, { do: 'read' }, '1'),
    ];
    await execute(memory, program).catch((error: unknown) => {
      if (!(error instanceof Away)) throw error;
    });
    const { status, waitingFor = [] } = memory.run;
    if (status === 'completed' || status === 'failed') return memory;
    if (status === 'running') continue;
    const open = memory.pending();
    const chosen = isLastFirst ? open.at(-1) : open[0];
    if (chosen && !/^\d/.test(chosen.title)) memory.say(`Message ${memory.messages.size}.`);
    if (chosen && !chosen.title.startsWith(interruptible)) memory.answer(chosen.id, { said: chosen.title });
    if (!chosen) for (const wait of waitingFor) if (wait.type === 'time') memory.now = Date.parse(wait.until);
  }
  throw new Error('it does not end');
}

/** Which of several messages a question is met with is nobody's concern. */
const sameMessages = (text: string) => text.replaceAll(/Message \d+\./g, 'Message');

/** All that others could see of it. */
const seenOf = ({ run, messages, interactions, journal }: MemoryService) => ({
  status: run.status,
  result: sameMessages(JSON.stringify(run.result)),
  error: run.error,
  said: [...messages.values()]
    .filter(({ state }) => state !== 'cancelled')
    .map(({ blocks, state }) => ({ blocks, state }))
    .map((each) => sameMessages(JSON.stringify(each)))
    .sort(),
  asked: [...interactions.values()].map(({ title, status }) => `${title} ${status}`).sort(),
  ended: journal
    .filter(({ state }) => state !== 'begun')
    .map(({ type, name, state }) => `${type} ${name} ${state}`)
    .sort(),
});

/** How often the run has read each message that people wrote, wherever it did. */
function timesRead({ run, messages }: MemoryService): number[] {
  const written = [...messages.values()].filter(({ role }) => role === 'user');
  const result = JSON.stringify(run.result);
  return written.map(({ blocks }) => result.split(JSON.stringify(blocks)).length - 1);
}

const anyPart = programOf([
  ...(['step', 'say', 'stream', 'ask', 'ask', 'sleep', 'now', 'random', 'fail', 'interrupt'] as const),
]);
const readingPart = programOf(['step', 'ask', 'sleep', 'interrupt', 'both', 'both', 'read']);

describe('interruptions', () => {
  test('[DA1] [DA2] an interruption at any write changes nothing of what comes of it', async () => {
    await fc.assert(
      fc.asyncProperty(anyPart, fc.boolean(), async (part, isLastFirst) => {
        const whole = await toTheEnd(new MemoryService(), part, isLastFirst);
        const expected = seenOf(whole);
        expect(expected.status).toBe('completed');
        for (let write = 1; write <= whole.writes; write++)
          for (const isDone of [false, true]) {
            const memory = new MemoryService();
            memory.crashAt = { write, isDone };
            expect(seenOf(await toTheEnd(memory, part, isLastFirst))).toEqual(expected);
          }
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });

  test('[DA5] [DA6] every message is read once, whichever question it came with an answer to, and whatever is interrupted', async () => {
    const expectAllRead = (memory: MemoryService) => {
      expect(memory.run.status).toBe('completed');
      expect(timesRead(memory)).toEqual(timesRead(memory).map(() => 1));
    };
    await fc.assert(
      fc.asyncProperty(readingPart, fc.boolean(), async (part, isLastFirst) => {
        const whole = await toTheEnd(new MemoryService(), part, isLastFirst);
        expectAllRead(whole);
        for (let write = 1; write <= whole.writes; write++)
          for (const isDone of [false, true]) {
            const memory = new MemoryService();
            memory.crashAt = { write, isDone };
            expectAllRead(await toTheEnd(memory, part, isLastFirst));
          }
      }),
      { numRuns: 30, endOnFailure: true },
    );
  });
});
