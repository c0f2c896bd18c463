/** Half-filled answers: kept in this browser at once, and with the server soon after, so that they follow the person. */
import type { Interaction } from '@holdpoint/protocol';
import { isSecretField } from '@holdpoint/protocol/answers';
import type { Values } from '../form/form-state.ts';
import type { Api } from './api.ts';

const saveAfterMs = 800;
const prefix = 'holdpoint-draft ';

export class Drafts {
  readonly #api: () => Api;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(api: () => Api) {
    this.#api = api;
  }

  /** Never the value of a secret field: what is stored can be read. */
  save(interaction: Interaction, values: Values): void {
    const { id } = interaction;
    const kept = Object.fromEntries(
      interaction.fields.flatMap((field) =>
        'name' in field && !isSecretField(field) && Object.hasOwn(values, field.name)
          ? [[field.name, values[field.name]]]
          : [],
      ),
    );
    store(id, JSON.stringify(kept));
    clearTimeout(this.#timers.get(id));
    const send = () =>
      void this.#api()
        .saveDraft(id, kept)
        .catch(() => {});
    this.#timers.set(id, setTimeout(send, saveAfterMs));
  }

  /** What the server keeps goes before what this browser does: it may be newer, from another device. */
  async load({ id }: Interaction): Promise<Values | undefined> {
    const kept = await this.#api()
      .getDraft(id)
      .catch(() => undefined);
    return kept ?? read(id);
  }

  forget(id: string): void {
    clearTimeout(this.#timers.get(id));
    store(id, undefined);
  }
}

/** A page may forbid storage; then a draft lives as long as the page. */
function store(id: string, text: string | undefined): void {
  try {
    if (text === undefined) localStorage.removeItem(prefix + id);
    else localStorage.setItem(prefix + id, text);
  } catch {}
}

function read(id: string): Values | undefined {
  try {
    return JSON.parse(localStorage.getItem(prefix + id) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}
