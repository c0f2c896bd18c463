/** Follows a task of another A2A agent. When it is input-required, a person is asked through Holdpoint. */
import type { Message, Part, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import type { Holdpoint } from '@holdpoint/client';
import {
  defined,
  type FreeObject,
  type Interaction,
  isObject,
  outcomeOf,
  type ReadingOptions,
} from '@holdpoint/protocol';
import { type Question, type WaitOptions, waitOnce } from '../shared/ask-once.ts';
import { contentOf, deadlineAt, refusalOf, summaryOf, textQuestion, wordsOf } from '../shared/outcomes.ts';
import { dataPart, messageOf, state, textPart } from './parts.ts';

export interface FollowOptions extends WaitOptions {
  /** Called with each state of the task. Store its id to continue with `followTask` after a crash. */
  onTask?: (task: Task) => void | Promise<void>;
}

/** Sends a message and follows the resulting task to its end. */
export async function sendWithPeople(
  hp: Holdpoint,
  client: Client,
  parts: Part[],
  options: FollowOptions,
): Promise<Message | Task> {
  const begun = await send(client, messageOf('user', { taskId: '', contextId: '' }, parts));
  return isTask(begun) ? followTask(hp, client, begun, options) : begun;
}

/** Follows a task to its end and answers all its questions. */
export async function followTask(
  hp: Holdpoint,
  client: Client,
  task: Task,
  { onTask, ...options }: FollowOptions,
): Promise<Message | Task> {
  const current = () => client.getTask({ tenant: '', id: task.id });
  let latest = task;
  for (;;) {
    options.signal?.throwIfAborted();
    await onTask?.(latest);
    const { state: now = 0, message } = latest.status ?? {};
    if (now === state.inputRequired && message) {
      const answer = await answerTo(message);
      const next = await current();
      // Another client may have answered in the meantime.
      const isStillAsked = next.status?.message?.messageId === message.messageId;
      const reply = isStillAsked ? await send(client, messageOf('user', idsOf(latest), answer)) : next;
      if (!isTask(reply)) return reply;
      latest = reply;
    } else if (now === state.submitted || now === state.working) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      latest = await current();
    } else return latest;
  }

  async function answerTo(message: Message): Promise<Part[]> {
    const answers = askedIn(message).map(async ({ question, answerParts }, index) => {
      const at = ['input-required', message.messageId, index];
      return answerParts(await waitOnce(hp, question, { ...options, run: task.id, at }), options);
    });
    return (await Promise.all(answers)).flat();
  }
}

const pollMs = 500;

interface Asked {
  question: Question;
  answerParts(closed: Interaction, reading: ReadingOptions): Part[];
}

/** Reads the questions of a Holdpoint agent one by one. A message of any other agent is one question for a text. */
function askedIn({ parts }: Message): Asked[] {
  const ours = parts.flatMap(({ content, metadata }): Asked[] => {
    const id = metadata?.interactionId;
    const question = content?.$case === 'data' ? content.value : undefined;
    if (typeof id !== 'string' || !isObject(question) || typeof question.title !== 'string') return [];
    const expiresAt = typeof question.expiresAt === 'string' ? question.expiresAt : undefined;
    return [
      {
        question: { ...contentOf(question), ...deadlineAt(expiresAt) },
        answerParts(closed, reading) {
          const outcome = outcomeOf<FreeObject>(closed, reading);
          if (outcome.status !== 'answered')
            return [dataPart({}, { interactionId: id, decline: true, ...summaryOf(outcome) })];
          const { automatic, answer, values } = outcome;
          return [dataPart(answer.payload ?? values, { interactionId: id, ...defined({ automatic }) })];
        },
      },
    ];
  });
  if (ours.length > 0) return ours;
  const text = parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('\n');
  const { question, read } = textQuestion(wordsOf(text));
  const textFor = (closed: Interaction) => read(closed) ?? `There is no answer: ${refusalOf(outcomeOf(closed))}.`;
  return [{ question, answerParts: (closed) => [textPart(textFor(closed))] }];
}

const send = (client: Client, message: Message): Promise<Message | Task> =>
  client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined });
const isTask = (reply: Message | Task): reply is Task => 'artifacts' in reply;
const idsOf = ({ id, contextId }: Task) => ({ taskId: id, contextId });
