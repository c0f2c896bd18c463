/** One of a fleet: claims what has happened in a thread, works on it, and says that it is done. Start as many as you like. */
import { hostname } from 'node:os';
import { type Batch, Holdpoint } from '@holdpoint/client';
import { ship } from './ship.ts';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '' } = process.env;
const { WORKER_ID: workerId = `${hostname()}-${process.pid}` } = process.env;
const hp = new Holdpoint({ url, key });
/** If a worker dies, its batch is another's after this time. */
const leaseMs = 5_000;

for (;;) {
  const { data } = await hp.claimBatches({ workerId, leaseMs, waitMs: 30_000 });
  for (const batch of data) await workOn(batch);
}

async function workOn({ id: batchId, inputs }: Batch): Promise<void> {
  const beating = setInterval(() => hp.heartbeatBatch({ batchId, workerId }).catch(() => {}), leaseMs / 3);
  try {
    for (const { id, type, interaction } of inputs) {
      const order = interaction?.metadata?.order;
      if (type === 'answer' && order) await ship({ order: String(order), shipmentId: id, workerId });
    }
    await hp.completeBatch({ batchId, workerId });
  } catch (error) {
    // Tried again after a pause, eight times in all.
    await hp.failBatch({ batchId, workerId, reason: String(error) });
  } finally {
    clearInterval(beating);
  }
}
