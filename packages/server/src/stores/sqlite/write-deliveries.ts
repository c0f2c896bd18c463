import type { DatabaseSync } from 'node:sqlite';
import type { EncodedChange } from '../sql/encode-change.ts';

export function deliveryWriter(db: DatabaseSync): (change: EncodedChange) => void {
  const add = db.prepare('INSERT INTO deliveries (org_id, webhook_id, id, status, record) VALUES (?, ?, ?, ?, ?)');
  const set = db.prepare(
    'UPDATE deliveries SET status = ?, record = ? WHERE org_id = ? AND webhook_id = ? AND id = ? AND status = ?',
  );

  return ({ orgId, newDeliveries = [], changedDeliveries = [] }) => {
    for (const { webhookId, id, status, record } of newDeliveries) add.run(orgId, webhookId, id, status, record);
    for (const { webhookId, id, status, record, from } of changedDeliveries)
      set.run(status, record, orgId, webhookId, id, from);
  };
}
