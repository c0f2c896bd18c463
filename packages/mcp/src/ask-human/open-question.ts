/** Creates the question, and the address at which a person answers it. */
import {
  type ActorRef,
  type CreateInteraction,
  CreateInteractionSchema,
  checkShape,
  defined,
  fail,
  type Interaction,
  isApproval,
  sentenceOf,
} from '@holdpoint/protocol';
import type { McpCaller } from '../mcp-caller.ts';

const isGroup = (assignee: string): boolean => assignee.startsWith('group:');

/** The client of a person proves no sign-in, and answers no approval and nothing that its person may not answer. */
const canAnswerByClient = (interaction: Interaction): boolean =>
  !interaction.assurance && !interaction.responder.notRequester && !isApproval(interaction);

/** The responder of an answer that comes through a client, or undefined if the question is for others. */
export async function answersAs(
  caller: McpCaller,
  interaction: Interaction,
): Promise<{ responder?: ActorRef } | undefined> {
  const { responder, resolution } = interaction;
  const { type, assignees = [] } = responder;
  // One client is one person, so it cannot give several votes, and it does not know which member of a group it is.
  if (resolution.mode !== 'first' || assignees.length > 1 || assignees.some(isGroup)) return undefined;
  const [person] = assignees;
  if (caller.person !== undefined)
    return canAnswerByClient(interaction) && (person ?? caller.person) === caller.person ? {} : undefined;
  if (await caller.mayAnswerForPeople())
    return person === undefined ? {} : { responder: { type: 'human', id: person } };
  return type === 'human' || person !== undefined ? undefined : {};
}

/**
 * The address of a page that shows the question. Only a key that may answer for people gets a link that lets its holder
 * answer, for the only assignee. Every other address leads to the console, where the user signs in.
 */
export async function answerPage(caller: McpCaller, { id, responder }: Interaction): Promise<string | undefined> {
  const [person, ...others] = responder.assignees ?? [];
  if (person !== undefined && others.length === 0 && !isGroup(person) && (await caller.mayAnswerForPeople())) {
    const { url } = await caller.service.mintResponderToken({ responderId: person, interactionId: id });
    if (url !== undefined) return url;
  }
  if (caller.publicUrl === undefined) return undefined;
  return `${caller.publicUrl.replace(/\/+$/, '')}/#/inbox/${encodeURIComponent(id)}`;
}

/** The input of the tool. Its schema has ten properties of a question, and these. */
export interface AskHuman extends Omit<CreateInteraction, 'responder' | 'deadline' | 'origin'> {
  assignees?: string[];
  responder?: 'human' | 'any';
  expires_at?: string;
  thread_id?: string;
  idempotency_key?: string;
  wait_seconds?: number;
}

export async function openQuestion(caller: McpCaller, input: AskHuman): Promise<Interaction> {
  const { thread_id, idempotency_key } = input;
  const question = toInteraction(input);
  const problems = checkShape(CreateInteractionSchema, question);
  if (problems.length > 0) fail('invalid-input', sentenceOf(problems), { problems });
  // The thread of the caller, which its first question creates. A new title needs a new key.
  const own = { title: 'Questions over MCP', idempotencyKey: `ask-human-thread:${caller.mark}` };
  return caller.service.createInteraction({
    threadId: thread_id ?? (await caller.service.createThread(own)).id,
    ...question,
    ...defined({ idempotencyKey: idempotency_key === undefined ? undefined : `ask-human:${idempotency_key}` }),
  });
}

function toInteraction(input: AskHuman): CreateInteraction {
  const { assignees, responder = 'human', expires_at, wait_seconds: _, ...rest } = input;
  const { thread_id: _thread, idempotency_key: _key, ...asked } = rest;
  return {
    ...asked,
    responder: { type: responder, ...defined({ assignees }) },
    origin: { type: 'tool', reference: 'ask_human' },
    ...defined({ deadline: expires_at === undefined ? undefined : { at: expires_at, outcome: 'expire' as const } }),
  };
}
