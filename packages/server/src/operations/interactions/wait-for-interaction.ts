import type { Interaction } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { authorize } from '../perform.ts';
import { Wait, type WaitOptions } from '../wait.ts';
import { loadInteraction } from './interactions.ts';

export interface WaitInput extends WaitOptions {
  interactionId: string;
}

export function waitForInteraction(context: Context, caller: Caller, input: WaitInput): Promise<Interaction> {
  authorize(caller, 'waitForInteraction');
  return new InteractionWait(context, caller, input.interactionId).result(input);
}

class InteractionWait extends Wait<Interaction> {
  readonly #caller: Caller;
  readonly #interactionId: string;

  constructor(context: Context, caller: Caller, interactionId: string) {
    super(context);
    this.#caller = caller;
    this.#interactionId = interactionId;
  }

  protected override topic(): string {
    return this.#interactionId;
  }

  protected override load(): Promise<Interaction> {
    return loadInteraction(this.context, this.#caller, this.#interactionId);
  }

  protected override isSettled({ status }: Interaction): boolean {
    return status !== 'pending';
  }
}
