/** What the server and the process of its demo agent say to each other. */

/** An address that only the server can tell: a link to a question by its id, where a thread by its id is looked at. */
export interface Wanted {
  type: 'link' | 'origin';
  id: string;
}

export type ToAgent =
  | { type: 'begin'; url: string; key: string; pace: number }
  | { type: 'told'; wanted: Wanted; url?: string };

export type FromAgent = { type: 'ready' } | { type: 'tell'; wanted: Wanted } | { type: 'error'; message: string };
