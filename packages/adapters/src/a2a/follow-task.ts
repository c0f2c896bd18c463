/** A task of another agent: where it is input-required, its person is asked by Holdpoint, and the answer is sent back. */
import type { Message, Part, Task } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import type { Holdpoint } from '@holdpoint/client';
import {
  defined,
  type FreeObject,
  type Interaction,
  input,
  isObject,
  outcomeOf,
  type ReadingOptions,
  textarea,
} from '@holdpoint/protocol';
import { createOnce, type Place, type Question } from '../shared/ask-once.ts';
import { deadlineAt, shownOf, wordsOf } from '../shared/shown.ts';
import { tellOutcome, tellRefusal } from '../shared/tell-outcome.ts';
import { dataPart, messageOf, state, textPart } from './parts.ts';

export interface FollowOptions extends ReadingOptions {
  /** Of Holdpoint: where the questions stand. */
  thread: Place['thread'];
  /** Called with each state of the task. Who keeps its id goes on with `followTask` after a crash. */
  onTask?: (task: Task) => void | Promise<void>;
  signal?: AbortSignal;
}

/** Sends a message, and follows the task that comes of it to its end. */
export async function sendWithPeople(
  hp: Holdpoint,
  client: Client,
  parts: Part[],
  options: FollowOptions,
): Promise<Message | Task> {
  const begun = await send(client, messageOf('user', { taskId: '', contextId: '' }, parts));
  return isTask(begun) ? followTask(hp, client, begun, options) : begun;
}

/** To its end, through all that it asks. */
export async function followTask(
  hp: Holdpoint,
  client: Client,
  task: Task,
  { thread, onTask, signal, countDeadlineAsApproval }: FollowOptions,
): Promise<Message | Task> {
  const current = () => client.getTask({ tenant: '', id: task.id });
  let latest = task;
  for (;;) {
    signal?.throwIfAborted();
    await onTask?.(latest);
    const { state: now = 0, message } = latest.status ?? {};
    if (now === state.inputRequired && message) {
      const answer = await answerTo(message);
      const next = await current();
      // Somebody else may have answered meanwhile.
      const isStillAsked = next.status?.message?.messageId === message.messageId;
      const told = isStillAsked ? await send(client, messageOf('user', idsOf(latest), answer)) : next;
      if (!isTask(told)) return told;
      latest = told;
    } else if (now === state.submitted || now === state.working) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      latest = await current();
    } else return latest;
  }

  async function answerTo(message: Message): Promise<Part[]> {
    const waiting = signal ? { signal } : {};
    const answers = askedIn(message).map(async ({ question, answerParts }, index) => {
      const at = ['input-required', message.messageId, index];
      const asked = await createOnce(hp, question, { thread, run: task.id, at });
      return answerParts(await hp.wait(asked, waiting), { countDeadlineAsApproval });
    });
    return (await Promise.all(answers)).flat();
  }
}

const pollMs = 500;

interface Asked {
  question: Question;
  answerParts(closed: Interaction, reading: ReadingOptions): Part[];
}

/** Our own questions each by itself; what another agent says, as one question for a text. */
function askedIn({ parts }: Message): Asked[] {
  const ours = parts.flatMap(({ content, metadata }): Asked[] => {
    const id = metadata?.interactionId;
    const question = content?.$case === 'data' ? content.value : undefined;
    if (typeof id !== 'string' || !isObject(question) || typeof question.title !== 'string') return [];
    const expiresAt = typeof question.expiresAt === 'string' ? question.expiresAt : undefined;
    return [
      {
        question: { ...shownOf(question), ...deadlineAt(expiresAt) },
        answerParts: (...closed) => [ourPart(id, ...closed)],
      },
    ];
  });
  if (ours.length > 0) return ours;
  const text = parts.map(({ content }) => (content?.$case === 'text' ? content.value : '')).join('\n');
  return [{ question: input(textarea(), wordsOf(text)), answerParts: (closed) => [textPart(wordsFor(closed))] }];
}

function ourPart(interactionId: string, closed: Interaction, reading: ReadingOptions): Part {
  const outcome = outcomeOf<FreeObject>(closed, reading);
  if (outcome.status !== 'answered') return dataPart({}, { interactionId, decline: true, ...tellOutcome(outcome) });
  const { automatic, answer, values } = outcome;
  return dataPart(answer.payload ?? values, { interactionId, ...defined({ automatic }) });
}

function wordsFor(closed: Interaction): string {
  const outcome = outcomeOf<{ text: string }>(closed);
  return outcome.status === 'answered' ? outcome.values.text : `There is no answer: ${tellRefusal(outcome)}.`;
}

const send = (client: Client, message: Message): Promise<Message | Task> =>
  client.sendMessage({ tenant: '', message, configuration: undefined, metadata: undefined });
const isTask = (told: Message | Task): told is Task => 'artifacts' in told;
const idsOf = ({ id, contextId }: Task) => ({ taskId: id, contextId });
