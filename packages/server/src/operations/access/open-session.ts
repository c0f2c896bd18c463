import { checkVariables, fail, limits, type OpenSession, type Session, type Thread } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import { isAllowedOrigin, visitorId } from '../../domain/public-key.ts';
import { timestamp } from '../../domain/state.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';
import { authorize } from '../perform.ts';
import { loadApiKey } from './api-keys.ts';

/**
 * Done anew each time: everybody who reads the page has the same key, so an idempotency key would hand one visitor's
 * thread to another.
 */
export async function openSession(
  context: Context,
  caller: Caller,
  { customerId, locale, variables, origin }: OpenSession & { origin?: string },
): Promise<Session> {
  authorize(caller, 'openSession');
  const { store, clock, tokens } = context;
  const { orgId } = caller;
  const keyId = caller.kind === 'key' ? caller.keyId : '';
  const settings = (await loadApiKey(context, caller, keyId)).record.public;
  if (!settings || settings.isEnabled === false) return fail('key-disabled', 'The public key is switched off.');
  if (!isAllowedOrigin(origin, settings.allowedOrigins))
    return fail('origin-not-allowed', `The public key is not for pages of ${origin ?? 'no origin'}.`);
  const problems = checkVariables(variables);
  if (problems.length > 0) throw invalidInput(problems);

  const { agent, widget = {}, intents = [], quickQuestions = [] } = settings;
  const responderId = visitorId(context.newId, customerId);
  const seconds = Math.ceil(clock.now() / 1000) + limits.sessionSeconds;
  const at = timestamp(clock.now());
  const session = {
    keyId,
    ...(customerId === undefined ? {} : { customerId }),
    ...(locale === undefined ? {} : { locale }),
    ...(variables === undefined ? {} : { variables }),
    ...(origin === undefined ? {} : { origin: origin.slice(0, limits.originLength) }),
    ...(intents.length > 0 ? { intents: intents.map(({ name }) => name) } : {}),
  };
  const thread: Thread = {
    id: context.newId(),
    version: 1,
    agent,
    metadata: { session },
    createdBy: { type: 'human', id: responderId },
    createdAt: at,
    updatedAt: at,
  };
  const created = { type: 'thread.created', at, actor: thread.createdBy, data: { thread } } as const;
  const committed = await store.commit({
    orgId,
    newThread: thread,
    log: { threadId: thread.id, events: [created] },
  });
  if (!committed.ok) return fail('busy', 'The session could not be opened; try again.', { retryAfterMs: 1_000 });
  const reach = { threadId: thread.id, isSession: true } as const;
  const token = await tokens.sign({ orgId, responderId, reach, expiresAt: seconds * 1000 });
  return { token, threadId: thread.id, expiresAt: timestamp(seconds * 1000), widget, intents, quickQuestions };
}
