/** A message of the person: what it is meant for goes with it, for the agent to read. */
import {
  checkJson,
  checkVariables,
  defined,
  type FreeObject,
  fail,
  type HoldpointService,
  limits,
  type Problem,
  sentenceOf,
  type Thread,
} from '@holdpoint/protocol';
import { refuse } from './fault-codec.ts';
import type { SessionOf } from './session-of.ts';

export interface Trigger {
  text: string;
  intentName?: string;
  context?: FreeObject;
  variables?: FreeObject;
}

/** With the variables it is less than metadata may have. */
const contextBytes = limits.jsonBytes / 2;

export async function postTrigger(
  service: HoldpointService,
  { threadId }: SessionOf,
  { text, intentName, context, variables }: Trigger,
  write: { idempotencyKey?: string },
) {
  const problems = [...checkVariables(variables), ...checkContext(context)];
  if (problems.length > 0) fail('invalid-input', sentenceOf(problems), { problems });
  checkIntent(await service.getThread({ threadId }), intentName);
  const meant = {
    ...defined({ intent: intentName, context, variables }),
  };
  const metadata = Object.keys(meant).length > 0 ? { metadata: meant } : {};
  return service.postMessage({ threadId, text, ...metadata, ...write });
}

const checkContext = (context: FreeObject | undefined): Problem[] =>
  context === undefined ? [] : checkJson(context, { maxBytes: contextBytes, maxDepth: limits.jsonDepth }, '/context');

/** The intents are those of the key at the time the session was opened. */
function checkIntent({ agent, metadata }: Thread, intentName: string | undefined): void {
  if (agent === undefined) refuse('intent_not_matched', 'Nobody takes messages in this conversation any more.');
  const { intents } = (metadata?.session ?? {}) as { intents?: unknown };
  if (intentName === undefined || !Array.isArray(intents) || intents.includes(intentName)) return;
  refuse('intent_not_allowed', `The widget has no intent ${intentName}.`);
}
