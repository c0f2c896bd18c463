/** A worker is killed in the middle of its work: another ships the same order, under the same id. */
import { deepEqual, notEqual } from 'node:assert/strict';
import { runStory } from '../run-story.ts';
import { print } from '../start-server.ts';
import { openWarehouse } from './warehouse.ts';

const orders = ['A', 'B', 'C', 'D'];
const idsOf = (calls: readonly { shipmentId: string }[]) => new Set(calls.map(({ shipmentId }) => shipmentId));

await runStory(import.meta.dirname, async ({ run, answer, afterwards }) => {
  const warehouse = await openWarehouse();
  afterwards(warehouse.close);
  const start = (name: string) =>
    run(['node', 'worker.ts'], { name, env: { WORKER_ID: name, WAREHOUSE_URL: warehouse.url } });
  const allow = (order: string) => answer(`Ship order ${order}?`, { decision: 'allow' });

  const fleet = new Map(['worker-1', 'worker-2'].map((name) => [name, start(name)]));
  await run(['node', 'ask.ts', ...orders]).output();

  await allow('A');
  const [begun] = await warehouse.calls(({ length }) => length > 0);
  await fleet.get(begun?.workerId ?? '')?.kill();
  print('story', `${begun?.workerId} was killed while it shipped order A`);

  fleet.set('worker-3', start('worker-3'));
  for (const order of orders.slice(1)) await allow(order);
  const [, ...answered] = await warehouse.calls(([, ...calls]) => idsOf(calls).size === orders.length);
  const again = answered.find(({ order }) => order === 'A');
  deepEqual(again?.shipmentId, begun?.shipmentId);
  notEqual(again?.workerId, begun?.workerId);
  deepEqual([...new Set(answered.map(({ order }) => order))].sort(), orders);
  await Promise.any([...fleet.values()].map((worker) => worker.printed(/^shipped order A$/m)));
});
