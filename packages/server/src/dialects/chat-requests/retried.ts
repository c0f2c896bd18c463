/** Loads and changes, and once more from the start when somebody else was faster. */
import { HoldpointError } from '@holdpoint/protocol';

/** Each lost race means that another change of the same thing won. */
const maxTries = 20;

export async function retried<T>(change: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await change();
    } catch (error) {
      const isBeaten = error instanceof HoldpointError && error.code === 'version-conflict';
      if (!isBeaten || tries === maxTries) throw error;
    }
  }
}
