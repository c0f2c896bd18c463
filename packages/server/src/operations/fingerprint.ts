/** Compares two calls under one idempotency key, also across versions of the server. */
// cspell:ignore spelling
import { hash } from 'node:crypto';
import { canonicalJson, isObject } from '@holdpoint/protocol';
import { type Caller, callerId, type Verb } from '../domain/caller.ts';

export interface KeyedCall {
  verb: Verb;
  caller: Caller;
  /** The input of the verb, without the key. */
  input: object;
  /** The request as the caller sent it. It differs from `input` if a dialect translates it. */
  sent: unknown;
}

const hashOf = (...parts: unknown[]): string => hash('sha256', canonicalJson(parts), 'base64url');

const currentVersion = '2';

/** Stored fingerprints were computed when `original` was called `spelling`. */
const asFirstNamed = (call: unknown): unknown => {
  if (!isObject(call) || call.original === undefined) return call;
  const { original, ...rest } = call;
  return { ...rest, spelling: original };
};

/**
 * The formulas of all versions. An entry never changes, because stored fingerprints are compared with it: a change is a
 * new version. Version 1 wrote no number. Its first form had the id of the API key in every call.
 */
const versions: Record<string, (call: KeyedCall) => string[]> = {
  1: ({ verb, caller, input }) =>
    [whoOf(verb, caller), callerId(caller)].map((who) => hashOf(verb, caller.kind, who, asFirstNamed(input))),
  // Translations change from version to version; a repeated request does not.
  2: ({ verb, caller, sent }) => [hashOf(verb, caller.kind, whoOf(verb, caller), asFirstNamed(sent))],
};

export const fingerprintOf = (call: KeyedCall): string => `${currentVersion}:${versions[currentVersion]?.(call)[0]}`;

/** Returns undefined if a newer version stored the fingerprint, because this version cannot compare it. */
export function isSameCall(call: KeyedCall, stored: string): boolean | undefined {
  const [, version = '1', fingerprint = ''] = /^(?:(\d+):)?(.*)$/.exec(stored) ?? [];
  return versions[version]?.(call).includes(fingerprint);
}

/**
 * The keys of an org may continue each other's calls, so the key is not part of the call. An answer, and every
 * call of a responder or a person, is also identified by its caller.
 */
function whoOf(verb: Verb, caller: Caller): string | null {
  return caller.kind !== 'key' || answering.includes(verb) ? callerId(caller) : null;
}

const answering: readonly Verb[] = ['submitAnswer', 'declineInteraction'];
