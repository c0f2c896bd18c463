/** Interactions that are looked up in one turn of the event loop are read by one query: a query each costs more than the read. */
import type { Interaction } from '@holdpoint/protocol';
import type { Store } from '../store.ts';
import { hasNul, type SelectOver } from './select.ts';
import { textArray } from './text-array.ts';

interface Asked {
  orgId: string;
  id: string;
  resolve(interaction: Interaction | undefined): void;
  reject(error: unknown): void;
}

const readAll = `SELECT asked.place, record FROM unnest(?::text[], ?::text[]) WITH ORDINALITY AS asked(org_id, id, place)
  JOIN interactions USING (org_id, id)`;

export function gatheredReads(select: SelectOver): Pick<Store, 'getInteraction'> {
  let gathering: Asked[] = [];

  async function read(asked: readonly Asked[]): Promise<void> {
    try {
      const [orgIds, ids] = [asked.map(({ orgId }) => orgId), asked.map(({ id }) => id)];
      const rows = await select(readAll, textArray(orgIds), textArray(ids));
      const records = new Map(rows.map(({ place, record }) => [Number(place), String(record)]));
      for (const [index, { resolve }] of asked.entries()) {
        const record = records.get(index + 1);
        resolve(record === undefined ? undefined : (JSON.parse(record) as Interaction));
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }

  function send(): void {
    const asked = gathering;
    gathering = [];
    void read(asked);
  }

  return {
    async getInteraction({ orgId, id }) {
      if (hasNul(id)) return undefined;
      return new Promise((resolve, reject) => {
        if (gathering.push({ orgId, id, resolve, reject }) === 1) setImmediate(send);
      });
    },
  };
}
