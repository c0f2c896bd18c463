/** Every call of the verb table, as transports and the reference need it: the address, and the schemas of its input. */
import type { TObject, TSchema } from 'typebox';
import { strictObject } from '../base-schemas.ts';
import { type VerbAddress, type VerbName, verbTable } from '../verb-table.ts';
import { accessVerbs } from './access.ts';
import { adminEventVerbs } from './admin-events.ts';
import { answerVerbs } from './answers.ts';
import { assignmentVerbs } from './assignment.ts';
import { Id } from './call.ts';
import { dispatchVerbs } from './dispatch.ts';
import { eventVerbs } from './events.ts';
import { fileVerbs } from './files.ts';
import { grantVerbs } from './grants.ts';
import { groupVerbs } from './groups.ts';
import { identityProviderVerbs } from './identity-providers.ts';
import { interactionVerbs } from './interactions.ts';
import { messageVerbs } from './messages.ts';
import { peopleVerbs } from './people.ts';
import { runVerbs } from './runs.ts';
import { sessionVerbs } from './sessions.ts';
import { settingsVerbs } from './settings.ts';
import { threadVerbs } from './threads.ts';
import type { VerbSpec } from './verb-spec.ts';
import { webhookVerbs } from './webhooks.ts';

/** By section of the reference, in its order. */
const sections: Readonly<Record<string, Partial<Record<VerbName, VerbSpec>>>> = {
  Threads: threadVerbs,
  Messages: messageVerbs,
  Interactions: { ...interactionVerbs, ...answerVerbs, ...assignmentVerbs },
  Files: fileVerbs,
  Dispatch: dispatchVerbs,
  Runs: runVerbs,
  Webhooks: webhookVerbs,
  Grants: grantVerbs,
  People: { ...peopleVerbs, ...groupVerbs },
  'Identity providers': identityProviderVerbs,
  'Admin log': adminEventVerbs,
  Access: { ...accessVerbs, ...settingsVerbs },
  Sessions: sessionVerbs,
  Events: eventVerbs,
};

/** The entries of all verbs. `verbTable` has their addresses. */
export const verbSpecs = Object.assign({}, ...Object.values(sections)) as Readonly<Record<VerbName, VerbSpec>>;

/** One verb at one path. Most verbs have one. */
export interface VerbCall {
  verb: VerbName;
  operationId: string;
  method: VerbAddress['method'];
  path: string;
  tag: string;
  summary: string;
  description: string;
  /** The ids in the path. */
  params: TObject;
  /** The part that carries the rest of the input. */
  inputIn: 'query' | 'body';
  query?: TObject;
  body?: TObject;
  output: TSchema;
  status: 200 | 201;
  /** Whether it uses an Idempotency-Key. */
  takesKey: boolean;
}

/** Every call, in the order of the reference. */
export const verbCalls: readonly VerbCall[] = Object.entries(sections).flatMap(([tag, specs]) =>
  (Object.entries(specs) as [VerbName, VerbSpec][]).flatMap(([verb, spec]) => callsOf(verb, spec, tag)),
);

function callsOf(verb: VerbName, spec: VerbSpec, tag: string): VerbCall[] {
  const { method, paths, repeat } = verbTable[verb];
  const { output, status = 200, takesFile } = spec;
  const calls = paths.map((path): VerbCall => {
    const { input = spec.input, ...text } = (paths.length > 1 && path === paths[0] && spec.ofThread) || {
      ...{ operationId: verb, summary: spec.summary, description: spec.description },
    };
    const inputIn = method === 'GET' || method === 'DELETE' || takesFile ? 'query' : 'body';
    return {
      ...{ verb, method, path, tag, output, status },
      operationId: text.operationId,
      summary: text.summary,
      description: text.description,
      params: idsOf(path),
      inputIn,
      ...(input && { [inputIn]: input }),
      takesKey: repeat === 'by-key' || repeat === 'by-given-key',
    };
  });
  // The reference shows the call of the org first.
  return calls.reverse();
}

/** The names of the ids in a path. */
export function idNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

function idsOf(path: string): TObject {
  return strictObject(Object.fromEntries(idNames(path).map((name) => [name, Id])));
}
