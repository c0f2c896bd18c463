/** Prometheus metrics: what the server does, never for whom. */
import { fail } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { EventHead, Store } from '../stores/store.ts';
import type { Admission } from './admission/admission.ts';

export interface MetricSources {
  store: Pick<Store, 'onCommitted' | 'blockedWrites'>;
  waiters(): number;
  streams(): number;
  /** Where given, only an admin may read the metrics. */
  admission?: Admission | undefined;
}

export function addMetrics(app: FastifyInstance, { store, waiters, streams, admission }: MetricSources): void {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'holdpoint_http_request_duration_seconds',
    help: 'Time to answer, by route; long polls and streams are left out.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const committed = new Map<string, number>();
  new Counter({
    name: 'holdpoint_events_total',
    help: 'Events this node has learnt of, by type: with many nodes, those of all.',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const [type, count] of committed) this.inc({ type }, count);
    },
  });
  new Gauge({
    name: 'holdpoint_waiters',
    help: 'Long polls waiting now.',
    registers,
    collect() {
      this.set(waiters());
    },
  });
  new Gauge({
    name: 'holdpoint_streams',
    help: 'Event streams open now.',
    registers,
    collect() {
      this.set(streams());
    },
  });
  new Gauge({
    name: 'holdpoint_blocked_writes',
    help: 'Writes waiting for a lock that another database session holds.',
    registers,
    collect() {
      this.set(store.blockedWrites());
    },
  });
  store.onCommitted((heads: readonly EventHead[]) => {
    for (const { type } of heads) committed.set(type, (committed.get(type) ?? 0) + 1);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    if (!route.endsWith('/wait') && !route.endsWith('/events')) {
      requests.observe({ method: request.method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    }
    done();
  });
  app.get('/metrics', { onRequest: admission?.admit ?? [] }, async (request, reply) => {
    const caller = admission?.callerOf(request);
    if (caller && !(caller.kind === 'key' && caller.role === 'admin'))
      fail('forbidden', 'The metrics take admin rights.');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
