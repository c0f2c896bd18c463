/** Reads an idempotency record. A file of its own, because the writer thread would load all of the protocol with `encode-change.ts`. */
import type { IdempotencyRecord } from '../store.ts';

export function readIdempotency(key: string, row: Record<string, unknown>): IdempotencyRecord {
  return {
    key,
    fingerprint: String(row.fingerprint),
    resource: { type: row.resource_type, id: row.resource_id } as IdempotencyRecord['resource'],
  };
}
