import type { FreeObject, HoldpointService, LogEvent, Message, MessageFilter, Run } from '@holdpoint/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { history, maxEvents } from './history.ts';

const run = { fromSeq: 1 };

test('[L20] history continues after short pages, up to its limit', async () => {
  const ids = ['5', '4', '3', '2', '1'];
  const listMessages = async ({ cursor, limit = 0 }: MessageFilter) => {
    const start = cursor === undefined ? 0 : ids.indexOf(cursor) + 1;
    const page = ids.slice(start, start + Math.min(limit, 2));
    const last = page.at(-1);
    return { data: page.map((id) => ({ id }) as Message), ...(last === '1' ? {} : { next: last }) };
  };
  const place = { service: { listMessages } as unknown as HoldpointService, threadId: 't', run };
  const idsOf = async (limit?: number) => (await history(place, limit)).map(({ id }) => id);
  expect(await idsOf()).toEqual(['1', '2', '3', '4', '5']);
  expect(await idsOf(3)).toEqual(['3', '4', '5']);
});

/** As much of an event as these tests need. */
type Event = Pick<LogEvent, 'type'> & { data: FreeObject };

/** A log of any length, whose pages are as short as a test wants. */
function logOf(length: () => number, eventAt: (seq: number) => Event, pageSize = 200) {
  const reads: number[] = [];
  const readLog: HoldpointService['readLog'] = async ({ after = 0, limit = 50 }) => {
    reads.push(after);
    const last = Math.min(length(), after + Math.min(limit, pageSize));
    const seqs = Array.from({ length: Math.max(0, last - after) }, (_, index) => after + index + 1);
    const data = seqs.map((seq) => ({ ...eventAt(seq), seq }) as unknown as LogEvent);
    return { data, ...(data.length > 0 && last < length() ? { next: String(last) } : {}) };
  };
  const before = async (of: Pick<Run, 'fromSeq'>, limit?: number) =>
    (
      await history({ service: { readLog } as HoldpointService, threadId: 't', run: of }, limit, { beforeRun: true })
    ).map(({ id }) => id);
  return { reads, before };
}

const said = (id: string, role: Message['role'], state?: 'streaming'): Event => ({
  type: 'message.created',
  data: { message: { id, role, ...(state ? { state } : {}) } },
});
const noise: Event = { type: 'telemetry.recorded', data: {} };

/** A thread whose runs are given one message at a time, as dispatch gives them, and what its agent hears. */
class Conversation {
  log: Event[] = [];
  heard: string[] = [];
  waiting: { id: string; seq: number }[] = [];
  run: { fromSeq: number; deliveredSeq: number } | undefined;
  #count = 0;

  say = () => this.waiting.push({ id: this.#add(said(`u${++this.#count}`, 'user')), seq: this.log.length });
  reply = () => this.heard.push(this.#add(said(`a${++this.#count}`, 'agent')));
  begin = () => this.#hear((fromSeq) => ({ fromSeq, deliveredSeq: fromSeq }), 'run.started');
  resume = () => this.#hear((deliveredSeq, before) => ({ ...before, deliveredSeq }), 'run.resumed');

  stream(meanwhile: () => void): void {
    const id = this.#add(said(`a${++this.#count}`, 'agent', 'streaming'));
    meanwhile();
    this.#add({ type: 'message.completed', data: { message: { id, role: 'agent' } } });
    this.heard.push(id);
  }

  end(): void {
    this.#event('run.completed');
    this.run = undefined;
  }

  other = (event: Event) => this.#add(event);

  #hear(next: (seq: number, before: { fromSeq: number }) => NonNullable<Conversation['run']>, type: Event['type']) {
    const message = this.waiting.shift();
    if (!message) return;
    this.run = next(message.seq, this.run ?? { fromSeq: 0 });
    this.heard.push(message.id);
    this.#event(type);
  }

  #event = (type: Event['type']) => this.#add({ type, data: { run: { ...this.run } } });

  #add(event: Event): string {
    this.log.push(event);
    return (event.data.message as Message | undefined)?.id ?? '';
  }
}

test('[DA21] history before a run has all that was heard and said, in that order, whatever came at once', async () => {
  const steps = fc.array(fc.constantFrom('say', 'say', 'reply', 'stream', 'resume', 'end', 'noise'), { maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(
      steps,
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 7 }),
      async (all, limit, size) => {
        const talk = new Conversation();
        const { before } = logOf(
          () => talk.log.length,
          (seq) => talk.log[seq - 1] ?? noise,
          size,
        );
        const acts: Record<(typeof all)[number], () => void> = {
          say: talk.say,
          reply: talk.reply,
          stream: () => talk.stream(talk.say),
          resume: talk.resume,
          end: () => talk.end(),
          noise: () => talk.other(noise),
        };
        let expected: string[] = [];
        for (const step of all) {
          if (!talk.run) {
            // The message that begins the run is not before it, and nothing of the run is.
            expected = talk.heard.slice(-limit);
            talk.begin();
          }
          if (talk.run || step === 'say' || step === 'noise') acts[step]();
          if (talk.run) expect(await before(talk.run, limit)).toEqual(expected);
        }
      },
    ),
  );
});

test('[DA21] a restarted run has before it what the run that it repeats had', async () => {
  const talk = new Conversation();
  for (const act of [talk.say, talk.begin, talk.say, talk.reply]) act();
  talk.end();
  for (const act of [talk.begin, talk.reply]) act();
  const { run: repeated } = talk;
  talk.end();
  talk.other({ type: 'run.started', data: { run: { ...repeated } } });
  talk.reply();
  const { before } = logOf(
    () => talk.log.length,
    (seq) => talk.log[seq - 1] ?? noise,
  );
  expect(await before(repeated ?? run)).toEqual(['u1', 'a3']);
});

test('[DA21] messages that no run was given come last, and a message that is broken off not at all', async () => {
  const log: Event[] = [
    said('u1', 'user'),
    said('a1', 'agent', 'streaming'),
    { type: 'message.cancelled', data: { message: { id: 'a1', role: 'agent', state: 'cancelled' } } },
    said('s1', 'system'),
    said('u2', 'user'),
    { type: 'run.started', data: { run: { fromSeq: 5, deliveredSeq: 5 } } },
  ];
  const { before } = logOf(
    () => log.length,
    (seq) => log[seq - 1] ?? noise,
  );
  expect(await before({ fromSeq: 5 })).toEqual(['s1', 'u1']);
});

test('[DA21] history before a run reads a bounded part of the log before it, and nothing after its beginning', async () => {
  const began: Event = { type: 'run.started', data: { run: { fromSeq: 500_000, deliveredSeq: 500_000 } } };
  const logWith = (other: (seq: number) => Event) =>
    logOf(
      () => 1_000_000,
      (seq) => (seq === 500_003 ? began : other(seq)),
    );
  const full = logWith((seq) => (seq % 2 === 0 ? said(`a${seq}`, 'agent') : noise));
  const all = await full.before({ fromSeq: 500_000 }, 100);
  expect([all.length, all.at(-1)]).toEqual([100, 'a500002']);
  expect(full.reads).toEqual([499_999, 499_799]);

  const silent = logWith(() => noise);
  expect(await silent.before({ fromSeq: 500_000 }, 100)).toEqual([]);
  expect(silent.reads).toHaveLength(1 + maxEvents / 200);
});
