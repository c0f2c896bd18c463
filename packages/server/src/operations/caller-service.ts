/** The verbs in process, for one caller: what every transport calls. */
import type { HoldpointService } from '@holdpoint/protocol';
import type { Caller } from '../domain/caller.ts';
import { cancelInteraction } from './cancel-interaction.ts';
import type { Context } from './context.ts';
import { createApiKey } from './create-api-key.ts';
import { createInteraction } from './create-interaction.ts';
import { createOrg } from './create-org.ts';
import { createThread } from './create-thread.ts';
import { declineInteraction } from './decline-interaction.ts';
import { getInteraction } from './get-interaction.ts';
import { getThread } from './get-thread.ts';
import { listApiKeys } from './list-api-keys.ts';
import { listGrants } from './list-grants.ts';
import { listInteractions } from './list-interactions.ts';
import { listThreads } from './list-threads.ts';
import { mintResponderToken } from './mint-responder-token.ts';
import { postMessage } from './post-message.ts';
import { readLog } from './read-log.ts';
import { revokeApiKey } from './revoke-api-key.ts';
import { revokeGrant } from './revoke-grant.ts';
import { submitAnswer } from './submit-answer.ts';
import { takeSecrets } from './take-secrets.ts';
import { updateInteraction } from './update-interaction.ts';
import { waitForInteraction } from './wait-for-interaction.ts';

type Input<Verb extends keyof HoldpointService> = Parameters<HoldpointService[Verb]>[0];

export class CallerService implements HoldpointService {
  readonly #context: Context;
  readonly #caller: Caller;

  constructor(context: Context, caller: Caller) {
    this.#context = context;
    this.#caller = caller;
  }

  createThread(input: Input<'createThread'>) {
    return createThread(this.#context, this.#caller, input);
  }

  getThread(input: Input<'getThread'>) {
    return getThread(this.#context, this.#caller, input);
  }

  listThreads(input: Input<'listThreads'>) {
    return listThreads(this.#context, this.#caller, input);
  }

  readLog(input: Input<'readLog'>) {
    return readLog(this.#context, this.#caller, input);
  }

  postMessage(input: Input<'postMessage'>) {
    return postMessage(this.#context, this.#caller, input);
  }

  createInteraction(input: Input<'createInteraction'>) {
    return createInteraction(this.#context, this.#caller, input);
  }

  getInteraction(input: Input<'getInteraction'>) {
    return getInteraction(this.#context, this.#caller, input);
  }

  listInteractions(input: Input<'listInteractions'>) {
    return listInteractions(this.#context, this.#caller, input);
  }

  updateInteraction(input: Input<'updateInteraction'>) {
    return updateInteraction(this.#context, this.#caller, input);
  }

  submitAnswer(input: Input<'submitAnswer'>) {
    return submitAnswer(this.#context, this.#caller, input);
  }

  declineInteraction(input: Input<'declineInteraction'>) {
    return declineInteraction(this.#context, this.#caller, input);
  }

  cancelInteraction(input: Input<'cancelInteraction'>) {
    return cancelInteraction(this.#context, this.#caller, input);
  }

  waitForInteraction(input: Input<'waitForInteraction'>) {
    return waitForInteraction(this.#context, this.#caller, input);
  }

  takeSecrets(input: Input<'takeSecrets'>) {
    return takeSecrets(this.#context, this.#caller, input);
  }

  listGrants(input: Input<'listGrants'>) {
    return listGrants(this.#context, this.#caller, input);
  }

  revokeGrant(input: Input<'revokeGrant'>) {
    return revokeGrant(this.#context, this.#caller, input);
  }

  createApiKey(input: Input<'createApiKey'>) {
    return createApiKey(this.#context, this.#caller, input);
  }

  listApiKeys(input: Input<'listApiKeys'>) {
    return listApiKeys(this.#context, this.#caller, input);
  }

  revokeApiKey(input: Input<'revokeApiKey'>) {
    return revokeApiKey(this.#context, this.#caller, input);
  }

  createOrg(input: Input<'createOrg'>) {
    return createOrg(this.#context, this.#caller, input);
  }

  mintResponderToken(input: Input<'mintResponderToken'>) {
    return mintResponderToken(this.#context, this.#caller, input);
  }
}
