/** What threads and askers are called: threads by their title, agents by their name or by that of their key. */

import type { Interaction, Thread } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { keyNames, shortId } from '../look-up.ts';
import { service } from '../service.ts';

/** So many pages of threads are read to learn their names; beyond them a thread is called by its id. */
const maxPages = 100;

export interface Names {
  threadOf(threadId: string): Thread | undefined;
  titleOf(threadId: string): string;
  agentOf(interaction: Interaction): string;
  /** In small letters, for the search. */
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

  /** Keys first, because there are few; then threads, the newest first. */
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
