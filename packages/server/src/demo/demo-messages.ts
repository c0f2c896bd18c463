/** What the server and the process of its demo agent say to each other. */

export type ToAgent =
  | { type: 'begin'; url: string; key: string; pace: number }
  | { type: 'link'; interactionId: string; url?: string };

export type FromAgent =
  | { type: 'ready' }
  | { type: 'link'; interactionId: string }
  | { type: 'error'; message: string };
