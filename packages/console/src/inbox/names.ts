/** Names of threads and agents: a thread has a title, an agent its own name or the name of its API key. */
import { defined, type Interaction, type Thread } from '@holdpoint/protocol';
import { keyNames, shortId } from '../look-up.ts';
import { service } from '../service.ts';

/** Reads at most this many pages of threads. Older threads are shown by id. */
const maxPages = 100;

export interface Names {
  threadOf(threadId: string): Thread | undefined;
  titleOf(threadId: string): string;
  agentOf(interaction: Interaction): string;
  /** Lower-case text for the search. */
  textOf(interaction: Interaction): string;
}

export class NameBook implements Names {
  readonly #threads = new Map<string, Thread>();
  #keys: ReadonlyMap<string, string> = new Map();
  readonly #texts = new Map<string, string>();

  threadOf(threadId: string): Thread | undefined {
    return this.#threads.get(threadId);
  }

  titleOf(threadId: string): string {
    return this.#threads.get(threadId)?.title ?? shortId(threadId);
  }

  agentOf({ threadId, createdBy }: Interaction): string {
    return this.#threads.get(threadId)?.agent ?? this.#keys.get(createdBy.id) ?? shortId(createdBy.id);
  }

  textOf(interaction: Interaction): string {
    const name = `${interaction.threadId} ${interaction.createdBy.id}`;
    let text = this.#texts.get(name);
    if (text === undefined) {
      text = `${this.#threads.get(interaction.threadId)?.title ?? ''}\n${this.agentOf(interaction)}`.toLowerCase();
      this.#texts.set(name, text);
    }
    return text;
  }

  put(thread: Thread): void {
    this.#threads.set(thread.id, thread);
    this.#texts.clear();
  }

  /** Loads keys first, because there are few, then threads, newest first. */
  async load(onPage: () => void, signal: AbortSignal): Promise<void> {
    this.#keys = await keyNames();
    this.#texts.clear();
    onPage();
    let cursor: string | undefined;
    for (let count = 0; count < maxPages && !signal.aborted; count++) {
      const page = await service.listThreads({ limit: 200, ...defined({ cursor: cursor || undefined }) });
      for (const thread of page.data) this.put(thread);
      onPage();
      cursor = page.next;
      if (!cursor) return;
    }
  }
}
