/** Names of threads and agents: a thread has a title, an agent its own name or the name of its API key. */
import type { Interaction, Thread } from '@holdpoint/protocol';
import { pagesOf } from '../load.ts';
import { keyNames, shortId } from '../look-up.ts';
import { service } from '../service.ts';

/** Reads at most this many pages of threads. Older threads are shown by id. */
const maxPages = 100;

export class Names {
  readonly #threads = new Map<string, Thread>();
  #keys: ReadonlyMap<string, string> = new Map();
  readonly #texts = new Map<string, string>();

  titleOf(threadId: string): string {
    return this.#threads.get(threadId)?.title ?? shortId(threadId);
  }

  agentOf({ threadId, createdBy }: Interaction): string {
    return this.#threads.get(threadId)?.agent ?? this.#keys.get(createdBy.id) ?? shortId(createdBy.id);
  }

  /** Lower-case text for the search. */
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
    let count = 0;
    for await (const { data } of pagesOf((page) => service.listThreads({ limit: 200, ...page }))) {
      for (const thread of data) this.put(thread);
      onPage();
      count += 1;
      if (count === maxPages || signal.aborted) return;
    }
  }
}
