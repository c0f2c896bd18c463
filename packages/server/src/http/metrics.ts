/** Prometheus metrics. They name no org, key or person. */
import { fail } from '@holdpoint/protocol';
import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Store } from '../stores/store.ts';
import type { Admission } from './admission/admission.ts';

interface MetricSources {
  store: Pick<Store, 'onCommitted' | 'blockedWrites'>;
  waiters(): number;
  streams(): number;
  /** With it, only an admin may read the metrics. */
  admission?: Admission | undefined;
}

export function addMetrics(app: FastifyInstance, { store, waiters, streams, admission }: MetricSources): void {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'holdpoint_http_request_duration_seconds',
    help: 'Response time by route, without long polls and streams.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5],
    registers,
  });
  const committed = new Map<string, number>();
  new Counter({
    name: 'holdpoint_events_total',
    help: 'Events by type that this node knows of. With many nodes, the events of all nodes.',
    labelNames: ['type'],
    registers,
    collect() {
      this.reset();
      for (const [type, count] of committed) this.inc({ type }, count);
    },
  });
  const gauges: [name: string, help: string, read: () => number][] = [
    ['waiters', 'Long polls waiting now.', waiters],
    ['streams', 'Event streams open now.', streams],
    ['blocked_writes', 'Writes waiting for a lock that another database session holds.', () => store.blockedWrites()],
  ];
  for (const [name, help, read] of gauges)
    new Gauge({
      ...{ name: `holdpoint_${name}`, help, registers },
      collect() {
        this.set(read());
      },
    });
  store.onCommitted((heads) => {
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
      fail('forbidden', 'The metrics need an admin key.');
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}
