/** Saves unfinished answers: in this browser at once, and on the server soon after, for the person's other devices. */
import { type Draft, defined, type Interaction } from '@holdpoint/protocol';
import { isSecretField } from '@holdpoint/protocol/answers';
import type { Entered, Values } from '../form/form-state.ts';
import type { ThreadCalls } from './api.ts';

const saveAfterMs = 800;
/** Not with every letter: writing to the browser's storage would delay the letter by a frame. */
const keepAfterMs = 200;
const prefix = 'holdpoint-draft ';

/** The draft in this browser. */
interface Kept {
  entered: Entered;
  /** The server has the same draft. */
  isSaved?: boolean;
  /** The time of the server's draft, as far as this browser knows. */
  savedAt?: string | undefined;
}

export class Drafts {
  readonly #api: () => ThreadCalls;
  /** Drafts to send soon, or at once when the person leaves the page. */
  readonly #due = new Map<string, { timer: ReturnType<typeof setTimeout>; entered: Entered }>();
  /** Drafts to store in a moment, or at once when the page closes or is hidden. */
  readonly #unkept = new Map<string, Entered>();
  #keeping: ReturnType<typeof setTimeout> | undefined;
  readonly #keep = () => {
    clearTimeout(this.#keeping);
    this.#keeping = undefined;
    for (const [id, entered] of this.#unkept)
      store(prefix + id, { entered, savedAt: stored<Kept>(prefix + id)?.savedAt });
    this.#unkept.clear();
  };
  readonly #leave = () => {
    this.#keep();
    for (const [id, { entered }] of this.#due) void this.#send(id, entered, true);
  };

  constructor(api: () => ThreadCalls) {
    this.#api = api;
  }

  /** Leaves out secret fields, because stored values can be read. */
  save(interaction: Interaction, values: Values, payload?: unknown): void {
    const { id } = interaction;
    const kept = Object.fromEntries(
      interaction.fields.flatMap((field) =>
        'name' in field && !isSecretField(field) && Object.hasOwn(values, field.name)
          ? [[field.name, values[field.name]]]
          : [],
      ),
    );
    const entered: Entered = { values: kept, ...defined({ payload }) };
    this.#unkept.set(id, entered);
    this.#keeping ??= setTimeout(this.#keep, keepAfterMs);
    this.#cancel(id);
    const timer = setTimeout(() => void this.#send(id, entered), saveAfterMs);
    this.#due.set(id, { timer, entered });
    addEventListener('pagehide', this.#leave);
    document.addEventListener('visibilitychange', this.#keep);
  }

  /** A newer draft of another device wins over the one in this browser, which wins over the one it had sent itself. */
  async load({ id }: Interaction): Promise<Entered | undefined> {
    this.#keep();
    const here = stored<Kept>(prefix + id);
    const there = await this.#api()
      .getDraft(id)
      .catch((): Draft => ({}));
    if (here && !here.isSaved && (there.savedAt === undefined || there.savedAt === here.savedAt)) {
      void this.#send(id, here.entered);
      return here.entered;
    }
    const { savedAt, ...entered } = there;
    if (savedAt === undefined) return here?.entered;
    store(prefix + id, { entered, savedAt, isSaved: true });
    return entered;
  }

  forget(id: string): void {
    this.#cancel(id);
    this.#unkept.delete(id);
    store(prefix + id, undefined);
  }

  async #send(id: string, entered: Entered, isLeaving = false): Promise<void> {
    this.#keep();
    this.#cancel(id);
    try {
      const { savedAt } = await this.#api().saveDraft(id, entered, isLeaving);
      const here = stored<Kept>(prefix + id);
      const isSaved = JSON.stringify(here?.entered) === JSON.stringify(entered);
      if (here) store(prefix + id, { entered: here.entered, isSaved, savedAt });
    } catch {}
  }

  #cancel(id: string): void {
    clearTimeout(this.#due.get(id)?.timer);
    this.#due.delete(id);
    if (this.#due.size > 0) return;
    removeEventListener('pagehide', this.#leave);
    document.removeEventListener('visibilitychange', this.#keep);
  }
}

/** A page may forbid storage; then the value lives as long as the page. */
export function store(key: string, value: unknown, where: Where = 'localStorage'): void {
  try {
    if (value === undefined) window[where].removeItem(key);
    else window[where].setItem(key, JSON.stringify(value));
  } catch {}
}

export function stored<T>(key: string, where: Where = 'localStorage'): T | undefined {
  try {
    return JSON.parse(window[where].getItem(key) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

type Where = 'localStorage' | 'sessionStorage';
