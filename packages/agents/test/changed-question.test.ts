import { approval, type CreateInteraction, form, number, text } from '@holdpoint/protocol';
import { describe, expect, test } from 'vitest';
import type { AgentContext, AskingOptions } from '../src/agent.ts';
import { execute, type Program } from './execute.ts';
import { MemoryService } from './memory-service.ts';

describe('a question that was changed while its run waited', () => {
  const env = form({ env: text() });
  /** Answers the first question, which may be in a journal of an earlier version, and goes on with the second. */
  const changed = async (first: Program, second: Program, nameOfEarlierVersion?: string) => {
    const memory = new MemoryService();
    await execute(memory, first);
    if (nameOfEarlierVersion !== undefined)
      for (const entry of memory.journal) if (entry.type === 'ask') entry.name = nameOfEarlierVersion;
    memory.answer('i1', { env: 'live' });
    const run = await execute(memory, second);
    return { run, asked: memory.interactions.size };
  };
  const asks =
    (question: Parameters<AgentContext['ask']>[0], options: AskingOptions = {}): Program =>
    async (ctx) => {
      const outcome = await ctx.ask(question, options);
      return outcome.status === 'answered' && outcome.values;
    };

  test.each<[string, Program, Program]>([
    ['has one more optional field', asks(env), asks(form({ env: text(), note: text({ required: false }) }))],
    [
      'has one more field that is only sometimes there',
      asks(env),
      asks(form({ env: text(), why: text({ visibleIf: { all_of: [{ field: 'env', op: 'not_empty' }] } }) })),
    ],
    ['requires a value that it has', asks(form({ env: text({ required: false }) })), asks(env)],
    ['has one field less', asks(form({ env: text(), note: text() })), asks(env)],
    ['has other words', asks(env), asks(form({ env: text({ label: 'Where to?' }) }, { title: 'Deploy?' }))],
    ['is given a name', asks(env), asks(env, { name: 'where' })],
    ['has lost its name', asks(env, { name: 'where' }), asks(env)],
    ['keeps its name', asks(env, { name: 'where' }), asks(form({ env: text(), other: text() }), { name: 'where' })],
  ])('[DA20] keeps its answer where it %s', async (_, first, second) => {
    expect(await changed(first, second)).toMatchObject({
      run: { status: 'completed', result: { env: 'live' } },
      asked: 1,
    });
  });

  test('[DA20] keeps its answer in a journal that names it by its fields', async () => {
    const more = asks(form({ env: text(), note: text({ required: false }) }));
    expect(await changed(asks(env), more, 'env')).toMatchObject({
      run: { status: 'completed', result: { env: 'live' } },
      asked: 1,
    });
  });

  test.each<[string, Program, Program, string]>([
    [
      'another kind, which an answer would approve',
      asks(env),
      (ctx) => ctx.approve({ title: 'Delete all?' }),
      'Call 1 is a question of kind form in the journal, but the function now asks a question of kind approval there.',
    ],
    [
      'another kind under the same name',
      asks(env, { name: 'x' }),
      asks(approval({ title: 'Delete all?' }), { name: 'x' }),
      'Call 1 is a question of kind form in the journal, but the function now asks a question of kind approval there.',
    ],
    [
      'another name',
      asks(env, { name: 'x' }),
      asks(env, { name: 'y' }),
      'Call 1 is the question "x" in the journal, but the function now asks the question "y" there.',
    ],
    [
      'a field that nobody was asked for',
      asks(env),
      asks(form({ env: text(), region: text() })),
      'Call 1 is a question without the field "region" in the journal, but the function now requires it there.',
    ],
    [
      'another type of value',
      asks(env),
      asks(form({ env: number({ required: false }) })),
      'Call 1 is a question whose field "env" takes a string in the journal, but the function now asks for a number there.',
    ],
    [
      'a payload',
      asks(env),
      asks({ title: 'Deploy?', payloadSchema: { type: 'object' } }),
      'Call 1 is a question with fields in the journal, but the function now asks for a payload there.',
    ],
    [
      'a value that was left empty',
      asks(form({ env: text(), region: text({ required: false }) })),
      asks(form({ env: text(), region: text() })),
      'Call 1 is a question whose field "region" was left empty in the journal, but the function now requires it there.',
    ],
    [
      'what has no title',
      asks(env),
      asks({ kind: 'form' } as CreateInteraction),
      'Call 1 is a question in the journal, but the function now asks something else there: /title: The property "title" is missing.',
    ],
    [
      'what is no question',
      asks(env),
      asks({ title: 'Deploy?', kind: 'form', fields: [] }),
      'Call 1 is a question in the journal, but the function now asks something else there: /fields: A form needs at least one field that takes a value, or a payloadSchema.',
    ],
  ])('[DA20] fails and says why where it asks for %s', async (_, first, second, message) => {
    const mismatch = { status: 'failed', error: { code: 'journal-mismatch', message, call: 1 } };
    expect((await changed(first, second)).run).toMatchObject(mismatch);
    // The same at a replay of an answer that the journal has.
    const memory = new MemoryService();
    const goOn = (program: Program) => async (ctx: AgentContext) => {
      await program(ctx);
      await ctx.sleep(1_000);
    };
    await execute(memory, goOn(first));
    memory.answer('i1', { env: 'live' });
    await execute(memory, goOn(first));
    expect(await execute(memory, goOn(second))).toMatchObject(mismatch);
  });

  describe('of kind approval', () => {
    const approves =
      (action: Parameters<AgentContext['approve']>[0]): Program =>
      async (ctx) =>
        (await ctx.approve(action)).approved;
    const restart = { title: 'Restart test?', arguments: { host: 'test' } };
    const changedAfterAllow = async (first: Program, second: Program) => {
      const memory = new MemoryService();
      await execute(memory, first);
      memory.answer('i1', { decision: 'allow' });
      return execute(memory, second);
    };

    test('[DA20] keeps its answer where only its words change', async () => {
      const reworded = approves({ ...restart, title: 'Restart the test host?', body: 'It takes a minute.' });
      expect(await changedAfterAllow(approves(restart), reworded)).toMatchObject({ status: 'completed', result: true });
    });

    test.each([
      ['other arguments', restart, { title: 'Restart test?', arguments: { host: 'production' } }],
      ['arguments where there were none', { title: 'Restart?' }, { title: 'Restart?', arguments: { host: 'test' } }],
      ['another title without arguments', { title: 'Restart test?' }, { title: 'Drop the database?' }],
    ])('[DA20] approves nothing where it has %s', async (_, first, second) => {
      expect(await changedAfterAllow(approves(first), approves(second))).toMatchObject({
        status: 'failed',
        error: { code: 'journal-mismatch' },
      });
    });
  });

  test('[DA20] a payload that no longer fits its schema fails, and one that fits is kept', async () => {
    const payload = (schema: object) =>
      asks({ title: 'How many?', kind: 'form', payloadSchema: schema } as CreateInteraction);
    const memory = new MemoryService();
    await execute(memory, payload({ type: 'object' }));
    memory.answer('i1', {}, { n: 1 });
    const numbers = { type: 'object', properties: { n: { type: 'number' } } };
    expect(await execute(memory, payload(numbers))).toMatchObject({ status: 'completed' });
    const again = new MemoryService();
    await execute(again, payload({ type: 'object' }));
    again.answer('i1', {}, { n: 'one' });
    expect(await execute(again, payload(numbers))).toMatchObject({
      error: { code: 'journal-mismatch', message: expect.stringContaining('its answer does not fit') },
    });
  });
});
