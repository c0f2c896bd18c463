/**
 * Reads interactions together that are looked up in one turn of the event loop or during another read, because a trip to the
 * database costs more than a read.
 */
import type { Interaction } from '@holdpoint/protocol';
import type { Store } from '../store.ts';
import { currentInteractionText } from './current-form.ts';

interface Wanted {
  orgId: string;
  id: string;
}

/** The record, the reason why it could not be read, or undefined if there is none. */
export type Found = string | Error | undefined;

/** Returns the records in the order of the wanted ids. */
export type ReadTogether = (wanted: readonly Wanted[]) => Found[] | Promise<Found[]>;

/** Bounds how long a read delays the others, if thousands arrive at once. */
const maxTogether = 256;

export function gatheredReads(readTogether: ReadTogether): Pick<Store, 'getInteraction' | 'getInteractionText'> {
  const gathering: (Wanted & { resolve(record: string | undefined): void; reject(error: unknown): void })[] = [];
  let isReading = false;

  async function read(): Promise<void> {
    const asked = gathering.splice(0, maxTogether);
    try {
      const records = await readTogether(asked);
      for (const [index, { resolve, reject }] of asked.entries()) {
        const found = records[index];
        if (found instanceof Error) reject(found);
        else resolve(found && currentInteractionText(found));
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
    isReading = false;
    readSoon();
  }

  function readSoon(): void {
    if (isReading || gathering.length === 0) return;
    isReading = true;
    setImmediate(read);
  }

  const find = ({ orgId, id }: Wanted): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      gathering.push({ orgId, id, resolve, reject });
      readSoon();
    });

  return {
    getInteractionText: find,
    async getInteraction(by) {
      const record = await find(by);
      return record === undefined ? undefined : (JSON.parse(record) as Interaction);
    },
  };
}
