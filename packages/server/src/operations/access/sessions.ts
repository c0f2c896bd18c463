/** Sessions of visitors of a public page, and the telemetry of such pages. */
import { hash } from 'node:crypto';
import { checkVariables, defined, fail, isTimestamp, limits, type RecordedTelemetry } from '@holdpoint/protocol';
import { actorOf } from '../../domain/caller.ts';
import { isAllowedOrigin, visitorId } from '../../domain/public-key.ts';
import { timestamp } from '../../domain/state.ts';
import { newThread } from '../../domain/thread.ts';
import type { Operation } from '../context.ts';
import { checkJsonBounds, invalidInput } from '../invalid-input.ts';
import { perform } from '../perform.ts';
import { loadThread } from '../threads.ts';
import { loadApiKey } from './api-keys.ts';

/**
 * Opens a new session at each call. All visitors of the page have the same key, so an idempotency key would give one
 * visitor the thread of another.
 */
export const openSession: Operation<'openSession'> = async (context, caller, input) => {
  const { customerId, locale, variables, origin } = input;
  const { store, clock, tokens } = context;
  const { orgId } = caller;
  const keyId = caller.kind === 'key' ? caller.keyId : '';
  const settings = (await loadApiKey(context, caller, keyId)).record.public;
  if (!settings || settings.isEnabled === false) return fail('key-disabled', 'The public key is disabled.');
  if (!isAllowedOrigin(origin, settings.allowedOrigins))
    return fail('origin-not-allowed', `The public key does not allow pages of ${origin ?? 'no origin'}.`);
  const problems = checkVariables(variables);
  if (problems.length > 0) throw invalidInput(problems);

  const { agent, widget = {}, intents = [], quickQuestions = [] } = settings;
  const responderId = visitorId(context.newId, customerId);
  const expiresAt = (Math.ceil(clock.now() / 1000) + limits.sessionSeconds) * 1000;
  const session = {
    keyId,
    ...defined({ customerId, locale, variables, origin: origin?.slice(0, limits.originLength) }),
    ...(intents.length > 0 ? { intents: intents.map(({ name }) => name) } : {}),
  };
  const by = { type: 'human', id: responderId, via: 'token', keyId } as const;
  const threadId = context.newId();
  const change = newThread({ id: threadId, agent, metadata: { session } }, { by, now: clock.now() });
  const committed = await store.commit({ orgId, ...change });
  if (!committed.ok) return fail('busy', 'The session could not be opened. Retry.', { retryAfterMs: 1_000 });
  const token = await tokens.sign({ orgId, responderId, scope: { threadId, isSession: true }, expiresAt, keyId });
  return { token, threadId, expiresAt: timestamp(expiresAt), widget, intents, quickQuestions };
};

/** Telemetry with an id is recorded once for each thread and person, even if the second call differs. */
export const recordTelemetry: Operation<'recordTelemetry'> = (context, caller, input) => {
  const { threadId, name, props = {}, id, at } = input;
  const actor = actorOf(caller);
  const once =
    id !== undefined && hash('sha256', JSON.stringify([threadId, { type: actor.type, id: actor.id }, id]), 'base64url');
  return perform<RecordedTelemetry>(context, caller, {
    verb: 'recordTelemetry',
    // No caller can send a key with a space in it, so this equals the key of no other call.
    input: once ? { idempotencyKey: `telemetry ${once}` } : {},
    attempt: async () => {
      await loadThread(context, caller, threadId);
      checkJsonBounds({ props }, limits.telemetryBytes);
      if (at !== undefined && !isTimestamp(at))
        throw invalidInput([{ pointer: '/at', code: 'format', message: 'Send an RFC 3339 date-time.' }]);
      const now = timestamp(context.clock.now());
      const data = { name, props, ...defined({ id }), at: at ?? now };
      return {
        change: { log: { threadId, events: [{ type: 'telemetry.recorded', at: now, actor, data }] } },
        resource: { type: 'thread', id: threadId },
        result: { isRepeated: false },
      };
    },
    reload: async () => ({ isRepeated: true }),
  });
};
