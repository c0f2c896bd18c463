/** What an agent asks, as a question of ours, in a thread that was named or in its own. */
import {
  type CreateInteraction,
  CreateInteractionSchema,
  checkShape,
  defined,
  fail,
  type Interaction,
  sentenceOf,
} from '@holdpoint/protocol';
import type { McpCaller } from '../mcp-caller.ts';

type Asked = Pick<
  CreateInteraction,
  | 'title'
  | 'body'
  | 'kind'
  | 'options'
  | 'minSelections'
  | 'maxSelections'
  | 'fields'
  | 'arguments'
  | 'recommendations'
  | 'submitLabel'
>;

/** As the schema of the tool has it. */
export interface AskHuman extends Asked {
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
  return caller.service.createInteraction({
    threadId: thread_id ?? (await ownThread(caller)),
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

/** One for each caller, made by its first question. Were its title another one day, the key would have to be as well. */
async function ownThread({ service, mark }: McpCaller): Promise<string> {
  const made = { title: 'Questions over MCP', idempotencyKey: `ask-human-thread:${mark}` };
  return (await service.createThread(made)).id;
}
