/** Files that are still on their way when an answer is sent: the answer waits for them, and is not sent without them. */
import type { Uploads } from '../form/field-props.ts';

export interface HeldUploads extends Uploads {
  /** Resolves with what went wrong of those that were under way, but for those that were taken back. */
  settled(): Promise<Error | undefined>;
}

export function holdUploads({ start }: Uploads): HeldUploads {
  const underWay = new Set<Promise<unknown>>();
  return {
    start(field, file, onProgress, signal) {
      const sent = start(field, file, onProgress, signal);
      const heard = sent.then(
        () => undefined,
        (error: Error) => (signal.aborted ? undefined : error),
      );
      underWay.add(heard);
      void heard.then(() => underWay.delete(heard));
      return sent;
    },
    async settled() {
      // A while: what is waited for may make way for another, as a signature does that is written on.
      let failed: Error | undefined;
      while (underWay.size > 0) failed ??= ((await Promise.all(underWay)) as (Error | undefined)[]).find(Boolean);
      return failed;
    },
  };
}
