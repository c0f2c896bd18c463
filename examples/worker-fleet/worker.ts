/** One of a fleet: claims a batch of a thread, works on it, and completes it. Start as many as you like. */
import { hostname } from 'node:os';
import { type Batch, Holdpoint } from '@holdpoint/client';
import { ship } from './ship.ts';

const { HOLDPOINT_URL: url = '', HOLDPOINT_AGENT_KEY: key = '' } = process.env;
const { WORKER_ID: workerId = `${hostname()}-${process.pid}` } = process.env;
const hp = new Holdpoint({ url, key });
/** If a worker dies, another may claim its batch after this time. */
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
    // Repeated after a pause, eight attempts in all.
    await hp.failBatch({ batchId, workerId, reason: String(error) });
  } finally {
    clearInterval(beating);
  }
}
