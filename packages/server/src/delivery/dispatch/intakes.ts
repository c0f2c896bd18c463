/** The intakes of the orgs that are this node's turn, each woken by the inputs of its org. */
import type { Clock } from '../../operations/context.ts';
import type { Store } from '../../stores/store.ts';
import { Duties, type Duty } from '../duties.ts';
import { Intake, type IntakeOptions } from './intake.ts';

export interface IntakesOptions extends Omit<IntakeOptions, 'orgId' | 'onCaughtUp'> {
  store: IntakeOptions['store'] & Pick<Store, 'claimDue' | 'moveClaims' | 'onCommitted'>;
  clock: Clock;
}

/** The node whose turn it is may be another, which does not tell when it has read everything. */
const longestFirstReadMs = 2_000;

export class Intakes {
  readonly #options: IntakesOptions;
  readonly #intakes = new Map<string, Intake>();
  readonly #firstReads = new Map<string, () => void>();
  readonly #duties: Duties;
  readonly #unsubscribe: () => void;

  constructor(options: IntakesOptions) {
    this.#options = options;
    const { store, clock, onError } = options;
    this.#unsubscribe = store.onCommitted((heads) => {
      if (this.#intakes.size === 0) return;
      for (const [orgId, ofOrg] of Map.groupBy(heads, (head) => head.orgId)) this.#intakes.get(orgId)?.hear(ofOrg);
    });
    const begin = ({ orgId }: { orgId: string }) => this.#begin(orgId);
    this.#duties = new Duties({ store, clock, kind: 'dispatch', begin, onError });
  }

  /** Dispatch has begun in an org. Resolves when its inputs so far have been read, or after two seconds. */
  async look(orgId: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#firstReads.set(orgId, resolve);
    const timer = setTimeout(resolve, longestFirstReadMs);
    this.#duties.look();
    await promise;
    clearTimeout(timer);
    this.#firstReads.delete(orgId);
  }

  async stop(): Promise<void> {
    for (const resolve of this.#firstReads.values()) resolve();
    this.#unsubscribe();
    await this.#duties.stop();
  }

  #begin(orgId: string): Duty {
    const intake = new Intake({ ...this.#options, orgId, onCaughtUp: () => this.#firstReads.get(orgId)?.() });
    this.#intakes.set(orgId, intake);
    return {
      stop: async () => {
        this.#intakes.delete(orgId);
        await intake.stop();
      },
    };
  }
}
