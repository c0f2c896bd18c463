/**
 * The service that every transport calls: the operation of each verb, for one caller.
 * The operation of a verb is the export with its name, in any file of this folder.
 */
import { HoldpointError, type HoldpointService, type VerbName, verbTable } from '@holdpoint/protocol';
import { type Caller, mayCall } from '../domain/caller.ts';
import * as apiKeys from './access/api-keys.ts';
import * as orgSettings from './access/org-settings.ts';
import * as orgs from './access/orgs.ts';
import * as sessions from './access/sessions.ts';
import * as tokens from './access/tokens.ts';
import * as callbacks from './callbacks/callbacks.ts';
import { inputError } from './check-input.ts';
import type { Context, Operation } from './context.ts';
import * as batches from './dispatch/batches.ts';
import * as dispatchSettings from './dispatch/dispatch-settings.ts';
import * as reportTyping from './dispatch/report-typing.ts';
import * as deleteFiles from './files/delete-files.ts';
import * as readFiles from './files/read-files.ts';
import * as uploadFile from './files/upload-file.ts';
import * as grants from './grants.ts';
import * as answerInteraction from './interactions/answer-interaction.ts';
import * as assignment from './interactions/assignment.ts';
import * as changeInteraction from './interactions/change-interaction.ts';
import * as createInteraction from './interactions/create-interaction.ts';
import * as drafts from './interactions/drafts.ts';
import * as interactions from './interactions/interactions.ts';
import { getInteractionText } from './interactions/interactions.ts';
import * as reportViewing from './interactions/report-viewing.ts';
import * as messageStreams from './messages/message-streams.ts';
import * as messages from './messages/messages.ts';
import * as adminLog from './people/admin-log.ts';
import * as getMe from './people/get-me.ts';
import * as groups from './people/groups.ts';
import * as identityProviders from './people/identity-providers.ts';
import * as passkeys from './people/passkeys.ts';
import * as people from './people/people.ts';
import * as revokeTokens from './people/revoke-tokens.ts';
import * as personSessions from './people/sessions.ts';
import * as signInLinks from './people/sign-in-links.ts';
import * as beginRun from './runs/begin-run.ts';
import * as changeRun from './runs/change-run.ts';
import * as runs from './runs/runs.ts';
import * as waitForTurn from './runs/wait-for-turn.ts';
import * as threads from './threads.ts';
import * as deliveries from './webhooks/deliveries.ts';
import * as updateWebhook from './webhooks/update-webhook.ts';
import * as webhooks from './webhooks/webhooks.ts';

/** The compiler checks that every verb has an operation. */
const operations: { readonly [Verb in VerbName]: Operation<Verb> } = {
  ...adminLog,
  ...answerInteraction,
  ...apiKeys,
  ...assignment,
  ...batches,
  ...beginRun,
  ...callbacks,
  ...changeInteraction,
  ...changeRun,
  ...createInteraction,
  ...deleteFiles,
  ...deliveries,
  ...dispatchSettings,
  ...drafts,
  ...getMe,
  ...identityProviders,
  ...grants,
  ...groups,
  ...interactions,
  ...messageStreams,
  ...messages,
  ...orgSettings,
  ...orgs,
  ...passkeys,
  ...people,
  ...personSessions,
  ...readFiles,
  ...reportTyping,
  ...reportViewing,
  ...revokeTokens,
  ...runs,
  ...sessions,
  ...signInLinks,
  ...threads,
  ...tokens,
  ...updateWebhook,
  ...uploadFile,
  ...waitForTurn,
  ...webhooks,
};

/** One small object for each call: the verbs are on its prototype, made once from the table. */
class CallerVerbs {
  readonly context: Context;
  readonly caller: Caller;

  constructor(context: Context, caller: Caller) {
    this.context = context;
    this.caller = caller;
  }
}

type AnyOperation = (context: Context, caller: Caller, input: object) => Promise<unknown>;

for (const verb of Object.keys(verbTable) as VerbName[]) {
  const operation = operations[verb] as AnyOperation;
  Object.defineProperty(CallerVerbs.prototype, verb, {
    value(this: CallerVerbs, input: object) {
      return checked(operation, verb, this.context, this.caller, input);
    },
  });
}

/** The service of one caller. It checks the input and the rights of every call, from any transport. */
export const callerService = (context: Context, caller: Caller): HoldpointService =>
  new CallerVerbs(context, caller) as unknown as HoldpointService;

/** A verb for a transport that writes its output as JSON. */
export interface JsonVerb {
  call(context: Context, caller: Caller, input: object): Promise<unknown>;
  write(output: unknown): string | undefined;
}

/** Returns a stored interaction as it is. Parsing it and writing it again would take a third of the time of a GET. */
export function jsonVerb(verb: VerbName): JsonVerb {
  const isStored = verb === 'getInteraction';
  const operation = (isStored ? getInteractionText : operations[verb]) as AnyOperation;
  return {
    call: (context, caller, input) => checked(operation, verb, context, caller, input),
    write: isStored ? (output) => output as string : (output) => JSON.stringify(output),
  };
}

function checked(
  operation: AnyOperation,
  verb: VerbName,
  context: Context,
  caller: Caller,
  input: object,
): Promise<unknown> {
  const error = inputError(verb, input as Record<string, unknown>, context.isDialect);
  if (error) return Promise.reject(error);
  const fault = mayCall(caller, verb);
  return fault ? Promise.reject(new HoldpointError(fault)) : operation(context, caller, input);
}
