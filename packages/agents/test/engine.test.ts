import { choice, form, text } from '@holdpoint/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { NoRetry } from '../src/agent.ts';
import { Superseded } from '../src/engine/errors.ts';
import { execute, type Program } from './execute.ts';
import { MemoryService } from './memory-service.ts';

const one = (name: string) => form({ [name]: text() });
const textOf = ({ blocks }: { blocks: { payload: Record<string, unknown> }[] }) => blocks[0]?.payload.text;

describe('a run', () => {
  test('[DA1] goes on after its question, and does nothing a second time', async () => {
    const memory = new MemoryService();
    let effects = 0;
    const program: Program = async (ctx) => {
      const message = await ctx.message();
      const charged = await ctx.step('charge', () => ({ effects: ++effects }));
      await ctx.say(`To ${textOf(message)}`);
      const outcome = await ctx.ask(one('name'));
      if (outcome.status !== 'answered') throw new Error('no answer');
      return { ...charged, ...outcome.values, at: (await ctx.now()).toISOString(), drawn: await ctx.random() };
    };
    const waiting = await execute(memory, program);
    expect(waiting).toMatchObject({ status: 'waiting', waitingFor: [{ type: 'interaction', interactionId: 'i1' }] });
    expect(memory.interactions.get('i1')).toMatchObject({ run: { id: 'run' } });
    memory.answer('i1', { name: 'Ann' });
    memory.now += 1_000;
    const { status, result } = await execute(memory, program);
    expect({ status, result }).toEqual({
      status: 'completed',
      result: { effects: 1, name: 'Ann', at: '2030-01-01T00:00:01.000Z', drawn: expect.any(Number) },
    });
    expect(effects).toBe(1);
    expect([...memory.messages.values()].map(textOf)).toEqual(['Hello', 'To Hello']);
    expect(memory.journal.filter(({ state }) => state === 'done').map(({ type }) => type)).toEqual([
      ...['message', 'step', 'say', 'ask', 'now', 'random'],
    ]);
  });

  test('[DA2] parallel questions that are answered in the other order replay in the order of the answers', async () => {
    const memory = new MemoryService();
    const seen: string[] = [];
    const program: Program = async (ctx) => {
      seen.length = 0;
      const hear = async (name: string) => {
        await ctx.ask(one(name));
        seen.push(name);
        await ctx.step(`after ${name}`, () => name);
        await ctx.step('again', () => name);
      };
      await Promise.all([hear('a'), hear('b'), hear('c')]);
      return [...seen];
    };
    await execute(memory, program);
    memory.answer('i3', {});
    memory.now += 1;
    memory.answer('i1', {});
    expect(await execute(memory, program)).toMatchObject({ status: 'waiting', waitingFor: [{ interactionId: 'i2' }] });
    expect(seen).toEqual(['c', 'a']);
    memory.answer('i2', {});
    expect(await execute(memory, program)).toMatchObject({ status: 'completed', result: ['c', 'a', 'b'] });
  });

  test('[DA2] of what came while nobody looked, the earlier wins a race', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) =>
      Promise.race([
        ctx.ask(one('a')).then(() => 'asked'),
        ctx.sleep(60_000).then(() => 'slept'),
        ctx.ask(one('b')).then(() => 'asked b'),
      ]);
    await execute(memory, program);
    expect(memory.run.waitingFor).toContainEqual({ type: 'time', until: '2030-01-01T00:01:00.000Z' });
    memory.now += 70_000;
    memory.answer('i2', {});
    memory.now += 1;
    memory.answer('i1', {});
    expect(await execute(memory, program)).toMatchObject({ status: 'completed', result: 'slept' });
  });

  test('[DA8] questions that are open when the function ends are withdrawn', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      await Promise.race([ctx.ask(one('a')), ctx.ask(one('b'))]);
    };
    await execute(memory, program);
    memory.answer('i2', {});
    expect((await execute(memory, program)).status).toBe('completed');
    expect(memory.interactions.get('i1')).toMatchObject({
      status: 'cancelled',
      cancelReason: 'The run that asked is over.',
    });
  });

  test('[DA7] an error of the function fails the run, with the call it came from', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      await ctx.now();
      await ctx.step('charge', () => Promise.reject(new NoRetry('no money')));
    };
    expect(await execute(memory, program)).toMatchObject({
      status: 'failed',
      error: { code: 'failed', message: 'no money', call: 2 },
    });
  });

  test('[DA7] what is no JSON fails, and is named', async () => {
    const errorOf = async (program: Program) => (await execute(new MemoryService(), program)).error?.message;
    expect(await errorOf((ctx) => ctx.step('when', () => ({ on: new Date() })))).toBe(
      'Step "when" gave a Date at /on, which is not JSON.',
    );
    expect(await errorOf((ctx) => ctx.step('big', () => 'x'.repeat(300_000)))).toContain(
      'Step "big" gave what cannot be kept',
    );
    expect(await errorOf(async () => ({ a: [undefined] }))).toBe(
      'The agent gave a undefined at /a/0, which is not JSON.',
    );
    expect(await errorOf(async () => ({ a: undefined }))).toBeUndefined();
  });
});

describe('a step', () => {
  const failing = (fails: number, attempts: number[]) => async (info: { attempt: number }) => {
    attempts.push(info.attempt);
    if (attempts.length <= fails) throw new TypeError(`not yet ${info.attempt}`);
    return 'done';
  };

  test('[DA4] is tried again after a short pause at once, and after a long one by a wait', async () => {
    const memory = new MemoryService();
    const attempts: number[] = [];
    const run = failing(2, attempts);
    const program: Program = (ctx) => ctx.step('charge', run, { firstDelayMs: 2_001, maxDelayMs: 60_000 });
    expect(await execute(memory, program)).toMatchObject({
      status: 'waiting',
      waitingFor: [{ type: 'time', until: '2030-01-01T00:00:02.001Z' }],
    });
    expect(memory.journal).toMatchObject([
      { state: 'begun', data: { attempt: 1, error: { name: 'TypeError', message: 'not yet 1' } } },
    ]);
    memory.now += 2_001;
    expect(await execute(memory, program)).toMatchObject({ waitingFor: [{ until: '2030-01-01T00:00:06.003Z' }] });
    memory.now += 10_000;
    expect(await execute(memory, program)).toMatchObject({ status: 'completed', result: 'done' });
    expect(attempts).toEqual([1, 2, 3]);
  });

  test('[DA4] that fails for good throws the same error at every replay', async () => {
    const memory = new MemoryService();
    const attempts: number[] = [];
    const caught: string[] = [];
    const program: Program = async (ctx) => {
      await ctx
        .step('charge', failing(9, attempts), { attempts: 2, firstDelayMs: 0 })
        .catch((error: Error) => caught.push(`${error}`));
      await ctx.ask(one('a'));
    };
    await execute(memory, program);
    memory.answer('i1', {});
    expect((await execute(memory, program)).status).toBe('completed');
    expect(attempts).toEqual([1, 2]);
    expect(caught).toEqual(['TypeError: not yet 2', 'TypeError: not yet 2']);
  });

  test('[DA4] has a time for each attempt, a key that stays, and the secrets of an answer', async () => {
    const memory = new MemoryService();
    const keys: string[] = [];
    const program: Program = (ctx) =>
      ctx.step(
        'slow',
        async ({ attempt, idempotencyKey, signal, takeSecrets }) => {
          keys.push(idempotencyKey);
          if (attempt === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return takeSecrets('i1');
        },
        { timeoutMs: 20, firstDelayMs: 0 },
      );
    expect((await execute(memory, program)).result).toEqual({ token: 'secret' });
    expect(keys).toEqual(['run:run:1', 'run:run:1']);
    expect(memory.journal[0]?.data).toMatchObject({ error: { message: 'It took longer than 20 ms.' } });
  });
});

describe('messages', () => {
  test('[DA5] are read in their order, and only those that the run was given', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      const first = await ctx.message();
      await ctx.ask(one('a'));
      const second = await ctx.message();
      const third = await ctx.message();
      return [first, second, third].map(textOf);
    };
    await execute(memory, program);
    memory.say('two');
    await execute(memory, program);
    memory.answer('i1', {});
    expect(await execute(memory, program)).toMatchObject({ status: 'waiting', waitingFor: [{ type: 'message' }] });
    memory.say('three');
    expect((await execute(memory, program)).result).toEqual(['Hello', 'two', 'three']);
  });

  test('[DA6] a message withdraws a question that allows it, and none is lost by that', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      const outcome = await ctx.ask(one('a'), { orMessage: true });
      const left = await ctx.message();
      return [outcome.status, outcome.status === 'message' && textOf(outcome.message), textOf(left)];
    };
    expect(await execute(memory, program)).toMatchObject({
      waitingFor: [{ type: 'interaction' }, { type: 'message' }],
    });
    memory.say('something else');
    expect((await execute(memory, program)).result).toEqual(['message', 'something else', 'Hello']);
    expect(memory.interactions.get('i1')?.status).toBe('cancelled');
  });

  test('[DA6] an answer that was there before the message is the answer', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      const outcome = await ctx.ask(one('a'), { orMessage: true });
      return [outcome.status, textOf(await ctx.message()), textOf(await ctx.message())];
    };
    await execute(memory, program);
    memory.answer('i1', { a: 'yes' });
    memory.say('as well');
    expect((await execute(memory, program)).result).toEqual(['answered', 'Hello', 'as well']);
  });
});

test('[DA6] an answer that comes while the question is being withdrawn is the answer, and the message is left', async () => {
  const memory = new MemoryService();
  const program: Program = async (ctx) => {
    const outcome = await ctx.ask(one('a'), { orMessage: true });
    await ctx.message();
    return [outcome.status, textOf(await ctx.message())];
  };
  await execute(memory, program);
  memory.say('too late');
  memory.beforeCancel = () => memory.answer('i1', { a: 'yes' });
  expect((await execute(memory, program)).result).toEqual(['answered', 'too late']);
});

describe('a message that nobody has read', () => {
  test('[DA6] withdraws the next question, where the one it came for was answered in the same moment', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      await ctx.message();
      const first = await ctx.ask(one('a'), { orMessage: true });
      const second = await ctx.ask(one('b'), { orMessage: true });
      return [first.status, second.status === 'message' && textOf(second.message), await ctx.unread()];
    };
    await execute(memory, program);
    memory.say('and another thing');
    memory.answer('i1', { a: 'yes' });
    expect((await execute(memory, program)).result).toEqual(['answered', 'and another thing', []]);
    expect(memory.interactions.get('i2')?.status).toBe('cancelled');
  });

  test('[DA6] that began the run withdraws no question', async () => {
    const memory = new MemoryService();
    await execute(memory, (ctx) => ctx.ask(one('a'), { orMessage: true }));
    expect(memory.run.status).toBe('waiting');
  });

  test('[DA5] is given by unread with all others, once, and nothing is waited for', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      const read = [await ctx.unread()];
      await ctx.ask(one('a'));
      read.push(await ctx.unread(), await ctx.unread());
      await ctx.ask(one('b'));
      return [...read, await ctx.unread()].map((messages) => messages.map(textOf));
    };
    await execute(memory, program);
    memory.say('two');
    memory.say('three');
    memory.answer('i1', {});
    await execute(memory, program);
    memory.answer('i2', {});
    expect((await execute(memory, program)).result).toEqual([['Hello'], ['two', 'three'], [], []]);
  });

  test('[DA5] is kept by its id where there are too many for an entry', async () => {
    const memory = new MemoryService();
    for (let count = 0; count < 3; count++) memory.say(`${count}`.padEnd(120_000, 'x'));
    const program: Program = async (ctx) => {
      const read = await ctx.unread();
      await ctx.ask(one('a'));
      return read.map((message) => String(textOf(message))[0]);
    };
    await execute(memory, program);
    expect(JSON.stringify(memory.journal).length).toBeLessThan(1_000);
    memory.answer('i1', {});
    expect((await execute(memory, program)).result).toEqual(['H', '0', '1', '2']);
  });

  test('[DA6] stays to be read where it was put back while a later one was read', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      await ctx.message();
      const outcomes = await Promise.all(['a', 'b'].map((name) => ctx.ask(one(name), { orMessage: true })));
      await ctx.ask(one('c'));
      const heard = outcomes.map((outcome) =>
        outcome.status === 'message' ? textOf(outcome.message) : outcome.status,
      );
      return [...heard, (await ctx.unread()).map(textOf)];
    };
    await execute(memory, program);
    memory.say('two');
    memory.say('three');
    memory.beforeCancel = () => {
      memory.beforeCancel = () => {};
      memory.answer('i1', { a: 'yes' });
    };
    await execute(memory, program);
    memory.answer('i3', {});
    expect((await execute(memory, program)).result).toEqual(['answered', 'three', ['two']]);
  });
});

describe('a worker that was taken over', () => {
  test('[DA8] withdraws no question', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      await Promise.race([ctx.ask(one('a')), ctx.ask(one('b'))]);
      memory.resume();
    };
    await execute(memory, program);
    memory.answer('i2', {});
    await expect(execute(memory, program)).rejects.toBeInstanceOf(Superseded);
    expect(memory.interactions.get('i1')?.status).toBe('pending');
  });

  test('[DA8] withdraws no question of a function that fails by its journal either', async () => {
    const memory = new MemoryService();
    await execute(memory, (ctx) => ctx.ask(one('a')));
    const other: Program = async () => void memory.resume();
    await expect(execute(memory, other)).rejects.toBeInstanceOf(Superseded);
    expect(memory.interactions.get('i1')?.status).toBe('pending');
  });
});

test('[DA7] what the journal refuses fails the run', async () => {
  const isBad = ({ name }: { name: string }) => name === 'bad';
  const atTheEnd = new MemoryService();
  atTheEnd.refuses = isBad;
  expect(await execute(atTheEnd, (ctx) => ctx.step('bad', () => 1))).toMatchObject({
    status: 'failed',
    error: { code: 'failed', message: 'An entry cannot be kept.' },
  });
  const onTheWay = new MemoryService();
  onTheWay.refuses = isBad;
  const program: Program = async (ctx) => {
    await ctx.step('bad', () => 1);
    await ctx.say('after');
  };
  expect((await execute(onTheWay, program)).status).toBe('failed');
  expect(onTheWay.messages.size).toBe(1);
});

describe('what is said', () => {
  test('[DA3] is text, markdown or blocks', async () => {
    const memory = new MemoryService();
    await execute(memory, async (ctx) => {
      await ctx.say('plain');
      await ctx.say({ markdown: '**bold**' });
      await ctx.say({ type: 'card', payload: { title: 'one' } });
      await ctx.say([
        { type: 'card', payload: { title: 'two' } },
        { type: 'link', payload: { url: 'x' } },
      ]);
    });
    expect([...memory.messages.values()].slice(1).map(({ blocks }) => blocks)).toEqual([
      [{ type: 'message', payload: { text: 'plain' } }],
      [{ type: 'message', payload: { text: '**bold**', format: 'markdown' } }],
      [{ type: 'card', payload: { title: 'one' } }],
      [
        { type: 'card', payload: { title: 'two' } },
        { type: 'link', payload: { url: 'x' } },
      ],
    ]);
  });

  test('[DA3] by a generator is streamed, and gives what the generator returns', async () => {
    const memory = new MemoryService();
    const program: Program = (ctx) =>
      ctx.say(async function* () {
        yield 'Hel';
        await new Promise((resolve) => setTimeout(resolve, 5));
        yield 'lo ';
        yield 'Ann';
        return { tokens: 3 };
      });
    expect((await execute(memory, program)).result).toEqual({ tokens: 3 });
    expect(memory.appended).toEqual(['Hel', 'lo Ann']);
    expect(memory.messages.get('m2')).toMatchObject({ blocks: [{ payload: { text: 'Hello Ann' } }] });
    expect(memory.messages.get('m2')?.state).toBeUndefined();
  });

  test('[DA3] by a generator that says nothing is no message, and by one that fails is broken off', async () => {
    const memory = new MemoryService();
    const program: Program = async (ctx) => {
      const nothing = await ctx.say(async function* () {
        yield* [];
        return 7;
      });
      const failed = await ctx
        .say(async function* () {
          yield 'a';
          throw new Error('no model');
        })
        .catch((error: Error) => error.message);
      return [nothing, failed];
    };
    expect((await execute(memory, program)).result).toEqual([7, 'no model']);
    expect([...memory.messages.values()].map(({ state }) => state)).toEqual([undefined, 'cancelled']);
  });
});

describe('a stream that was silent for a minute', () => {
  afterEach(() => void vi.useRealTimers());

  const states = ({ messages }: MemoryService) =>
    [...messages.values()].slice(1).map((message) => [textOf(message), message.state]);
  const silent = (memory: MemoryService, ms: number) => {
    vi.advanceTimersByTime(ms);
    memory.cancelStreams();
  };

  test('[DA3] and has ended is sent again, whole', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const memory = new MemoryService();
    const program: Program = (ctx) =>
      ctx.say(async function* () {
        yield 'One. ';
        await expect.poll(() => memory.appended).toEqual(['One. ']);
        silent(memory, 61_000);
        return 1;
      });
    expect((await execute(memory, program)).result).toBe(1);
    expect(states(memory)).toEqual([
      ['One. ', 'cancelled'],
      ['One. ', undefined],
    ]);
  });

  test('[DA3] and goes on is sent again from its beginning', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const memory = new MemoryService();
    const program: Program = (ctx) =>
      ctx.say(async function* () {
        yield 'One. ';
        await expect.poll(() => memory.appended).toEqual(['One. ']);
        silent(memory, 61_000);
        yield 'Two. ';
        yield 'Three.';
        return 1;
      });
    expect((await execute(memory, program)).result).toBe(1);
    expect(states(memory)).toEqual([
      ['One. ', 'cancelled'],
      ['One. Two. Three.', undefined],
    ]);
  });

  test('[DA3] one that somebody cancelled while it was sent is not sent again', async () => {
    const memory = new MemoryService();
    const program: Program = (ctx) =>
      ctx.say(async function* () {
        yield 'One. ';
        await expect.poll(() => memory.appended).toEqual(['One. ']);
        memory.cancelStreams();
        yield 'Two. ';
      });
    expect((await execute(memory, program)).status).toBe('failed');
    expect(states(memory)).toEqual([['One. ', 'cancelled']]);
  });
});

describe('an approval', () => {
  const ask = async (values: Record<string, unknown>) => {
    const memory = new MemoryService();
    const program: Program = (ctx) => ctx.approve({ title: 'Pay?', arguments: { amount: 5, to: 'Ann' } });
    await execute(memory, program);
    memory.answer('i1', values);
    return (await execute(memory, program)).result;
  };

  test('[DA3] has the arguments as the person left them', async () => {
    expect(await ask({ decision: 'allow' })).toMatchObject({
      approved: true,
      edited: false,
      arguments: { amount: 5, to: 'Ann' },
    });
    expect(await ask({ decision: 'allow', amount: 4 })).toMatchObject({
      edited: true,
      arguments: { amount: 4, to: 'Ann' },
    });
  });

  test('[DA3] that was denied is not approved', async () => {
    const memory = new MemoryService();
    const program: Program = (ctx) => ctx.approve({ arguments: { amount: 5 } });
    await execute(memory, program);
    const by = { type: 'human', id: 'ann', via: 'token' } as const;
    const answer = {
      id: 'x',
      decision: 'declined',
      values: { decision: 'deny' },
      by,
      at: '2030-01-01T00:00:00Z',
    } as const;
    memory.close('i1', { status: 'answered', closedReason: 'declined', answer });
    expect((await execute(memory, program)).result).toMatchObject({
      approved: false,
      edited: false,
      arguments: { amount: 5 },
    });
  });
});

describe('a function that was changed', () => {
  const changed = async (first: Program, second: Program) => {
    const memory = new MemoryService();
    await execute(memory, first);
    for (const { id } of memory.pending()) memory.answer(id, {});
    const run = await execute(memory, second);
    return { run, memory };
  };
  const before: Program = async (ctx) => {
    await ctx.now();
    await ctx.step('charge', () => 1);
    await ctx.ask(one('env'));
  };

  test.each<[string, Program, string, number]>([
    [
      'another call',
      async (ctx) => {
        await ctx.now();
        await ctx.ask(form({ env: text(), notify: text() }));
      },
      'Call 2 is step "charge" in the journal, but the function now asks a question there.',
      2,
    ],
    [
      'another name',
      async (ctx) => {
        await ctx.now();
        await ctx.step('refund', () => 1);
      },
      'Call 2 is step "charge" in the journal, but the function now runs step "refund" there.',
      2,
    ],
    [
      'an earlier end',
      async (ctx) => {
        await ctx.now();
      },
      'Call 2 is step "charge" in the journal, but the function now ends without it.',
      2,
    ],
    [
      'an end before a question that is open',
      async (ctx) => {
        await ctx.now();
        await ctx.step('charge', () => 1);
      },
      'Call 3 is a question in the journal, but the function now ends without it.',
      3,
    ],
  ])('[DA9] fails and names the step: %s', async (_, after, message, call) => {
    const { run } = await changed(before, after);
    expect(run).toMatchObject({ status: 'failed', error: { code: 'journal-mismatch', message, call } });
  });

  test('[DA9] one that does not ask what it asked before fails as well', async () => {
    const first: Program = (ctx) => Promise.all([ctx.ask(one('a')), ctx.ask(one('b'))]);
    const { run } = await changed(first, (ctx) => ctx.ask(one('a')));
    expect(run.error?.message).toBe('Call 2 is a question in the journal, but the function now does not get there.');
  });

  test('[DA9] one that only says something else goes on', async () => {
    const first: Program = async (ctx) => {
      await ctx.say('one');
      await ctx.ask(choice(['a', 'b']));
    };
    const second: Program = async (ctx) => {
      await ctx.say('two');
      await ctx.ask(choice(['a', 'c']));
      return 'new end';
    };
    expect((await changed(first, second)).run).toMatchObject({ status: 'completed', result: 'new end' });
  });
});

test('[DA7] what an author asks or says must be well formed', async () => {
  const errorOf = async (program: Program) => (await execute(new MemoryService(), program)).error?.message;
  expect(await errorOf((ctx) => ctx.ask({ title: '' }))).toContain('/title');
  expect(await errorOf((ctx) => ctx.say(''))).toContain('/text');
});

test('[DA1] what the function does to a result is not what the journal keeps', async () => {
  const memory = new MemoryService();
  const program: Program = async (ctx) => {
    const list = await ctx.step('list', () => [1]);
    list.push(2);
    await ctx.ask(one('a'));
    return list;
  };
  await execute(memory, program);
  memory.answer('i1', {});
  expect((await execute(memory, program)).result).toEqual([1, 2]);
});
