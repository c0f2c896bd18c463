import {
  choice,
  defined,
  type ErrorCode,
  fail,
  form,
  type HoldpointService,
  type Interaction,
  input,
  password,
  type Thread,
  type Turn,
  text,
} from '@holdpoint/protocol';
import { expect, test } from 'vitest';
import { awaitTurn, takeTurn } from './request-codec.ts';
import type { TurnBody } from './schemas.ts';

const styles = choice([
  { value: 's1', label: 'Cinematic' },
  { value: 's2', label: 'Minimalist' },
]);

interface World {
  asked?: object;
  status?: Interaction['status'];
  thread?: Partial<Thread>;
  /** The fault of an answer. */
  refusal?: ErrorCode;
}

/** The texts of a turn. */
async function written(body: TurnBody, { asked, status = 'pending', thread, refusal }: World): Promise<unknown[]> {
  const calls: unknown[] = [];
  const note =
    (verb: string, isRefused = false) =>
    async (call: object) => {
      calls.push([verb, call]);
      return isRefused && refusal ? fail(refusal, 'No.') : {};
    };
  const turn = {
    isSettled: true,
    ...(asked ? { run: { status: 'waiting', waitingFor: [{ type: 'interaction', interactionId: 'i' }] } } : {}),
  } as Turn;
  const service = {
    getThread: async () => ({ agent: 'assistant', ...thread }),
    waitForTurn: async () => turn,
    getInteraction: async () => ({ id: 'i', status, ...asked }),
    updateThread: note('updateThread'),
    submitAnswer: note('submitAnswer', true),
    postMessage: note('postMessage'),
  } as unknown as HoldpointService;
  await takeTurn(service, { threadId: 't', body, write: { idempotencyKey: 'k' } });
  return calls;
}

const posted = (text: string) => ['postMessage', { threadId: 't', role: 'user', text, idempotencyKey: 'k' }];
const answered = (values: object, metadata?: object) => [
  'submitAnswer',
  { interactionId: 'i', values, ...defined({ metadata }), idempotencyKey: 'k' },
];

test('[AS4] what answers the question is its answer, with the words', async () => {
  const text = 'the second one';
  expect(await written({ message: text }, { asked: styles })).toEqual([answered({ choice: 's2' }, { text })]);
});

test('[AS5] what answers nothing is a message, and so is everything where nothing is asked', async () => {
  expect(await written({ message: 'Hm' }, { asked: styles })).toEqual([posted('Hm')]);
  expect(await written({ message: 'Cinematic' }, {})).toEqual([posted('Cinematic')]);
  expect(await written({ message: 'Cinematic' }, { asked: styles, status: 'answered' })).toEqual([posted('Cinematic')]);
});

test.each(['interaction-already-answered', 'interaction-cancelled', 'interaction-expired', 'already-voted'] as const)(
  '[AS5] words that come too late to be an answer (%s) are a message',
  async (refusal) => {
    const answer = answered({ choice: 's1' }, { text: 'Cinematic' });
    expect(await written({ message: 'Cinematic' }, { asked: styles, refusal })).toEqual([answer, posted('Cinematic')]);
  },
);

test('[AS10] an exact answer that comes too late is refused, and not said', async () => {
  const late = { asked: styles, refusal: 'interaction-already-answered' } as const;
  await expect(written({ selectedOptionId: 's1', message: 'Cinematic' }, late)).rejects.toThrow('No.');
  await expect(written({ message: 'Cinematic' }, { asked: styles, refusal: 'wrong-responder' })).rejects.toThrow('No.');
});

test('[AS10] an id answers the field that is picked from, beside values for the rest', async () => {
  expect(await written({ selectedOptionId: 's2' }, { asked: styles })).toEqual([answered({ choice: 's2' })]);
  const many = choice(['a', 'b'], { multiple: true });
  expect(await written({ selectedOptionId: 'a' }, { asked: many })).toEqual([answered({ choice: ['a'] })]);
  expect(await written({ values: { text: 'x' } }, { asked: input() })).toEqual([answered({ text: 'x' })]);
  await expect(written({ selectedOptionId: 's9' }, { asked: styles })).rejects.toThrow(
    'is not an option of the pending question',
  );
  await expect(written({ selectedOptionId: 'x' }, { asked: input() })).rejects.toThrow(
    'is not an option of the pending question',
  );
  await expect(written({ values: {} }, {})).rejects.toThrow('This chat has no pending question');
});

test('[AS4] words that are a secret are kept nowhere else', async () => {
  const asked = form({ pin: password() });
  expect(await written({ message: '1234' }, { asked })).toEqual([answered({ pin: '1234' })]);
});

test('[AS2] a chat without an agent gets one, and one that has keeps it', async () => {
  const [first] = await written({ message: 'Hi' }, { thread: { agent: undefined } as unknown as Partial<Thread> });
  expect(first).toEqual(['updateThread', { threadId: 't', agent: 'assistant' }]);
  expect(await written({ message: 'Hi' }, { thread: { agent: 'other' } })).toEqual([posted('Hi')]);
});

test('[AS3] what was said is gathered page by page, since the last word of the person', async () => {
  const message = (role: string, id: string) => ({ type: 'message.created', data: { message: { role, id } } });
  const pages = [
    [message('agent', 'a'), message('user', 'b'), message('agent', 'c')],
    [message('agent', 'd'), message('system', 'e')],
    [message('agent', 'f')],
  ];
  const service = {
    waitForTurn: async () => ({ isSettled: true }),
    readLog: async ({ after }: { after: number }) => ({
      data: pages[after],
      ...(after + 1 < pages.length ? { next: String(after + 1) } : {}),
    }),
  } as unknown as HoldpointService;
  const said = async () => (await awaitTurn(service, { threadId: 't', timeoutMs: 0 })).said.map(({ id }) => id);
  expect(await said()).toEqual(['c', 'd', 'f']);
  pages.push([message('user', 'g')]);
  expect(await said()).toEqual([]);
});

test.each([' ', ' \n\t ', '\u200b', '\u2800\u00a0', '\u3000'])(
  '[AS14] a message that shows nothing (%j) is refused, and changes nothing',
  async (message) => {
    const problems = [{ pointer: '/message', code: 'required', message: 'The message is blank.' }];
    for (const body of [{ message }, { message, selectedOptionId: 's1' }])
      await expect(written(body, { asked: styles })).rejects.toMatchObject({
        fault: { code: 'invalid-input', problems },
      });
    await expect(written({ message }, { thread: { agent: undefined } as never })).rejects.toThrow('blank');
    await expect(written({ message }, { asked: form({ note: text() }) })).rejects.toThrow('blank');
  },
);

test('[AS1] a turn says something', async () => {
  await expect(written({}, {})).rejects.toMatchObject({
    fault: { problems: [{ pointer: '/message', code: 'required' }] },
  });
});
