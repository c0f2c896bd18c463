/** Passes on what came of a form that the server sent, to the call that waits for it. */

/** A form that was answered needs no word: the call hears that its question is closed. */
export type FormReply =
  /** The question stays open, and this client does not show it again. */
  | { kind: 'left' }
  /** The question stays open, and is shown again after this sentence. */
  | { kind: 'again'; remark: string };

/** The call may wait on another node than the one that the reply came to. A reply that gets lost costs a longer wait and nothing else. */
export interface FormReplies {
  /** By the id of the state under which the form was sent. */
  publish(id: string, reply: FormReply): void;
  /** Calls the listener with each reply, until the function that it returns is called. */
  listen(id: string, listener: (reply: FormReply) => void): () => void;
}

/** Those of one process. */
export function formReplies(): FormReplies {
  const listeners = new Map<string, (reply: FormReply) => void>();
  return {
    publish: (id, reply) => listeners.get(id)?.(reply),
    listen(id, listener) {
      listeners.set(id, listener);
      return () => listeners.delete(id);
    },
  };
}
