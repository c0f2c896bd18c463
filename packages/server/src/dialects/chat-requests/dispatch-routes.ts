/** The pull queue between the chats and their workers. */
import {
  type Batch,
  ClaimBatchesSchema,
  defined,
  type HoldpointService,
  limits,
  type StopSignal,
} from '@holdpoint/protocol';
import { type Static, Type } from 'typebox';
import { toBatch } from './batch-codec.ts';
import { lenientRoute } from './lenient-routes.ts';

const path = '/api/v1/dispatch/:batchId';

const { workerId } = ClaimBatchesSchema.properties;
const Ms = Type.Optional(Type.Integer({ minimum: 0 }));
const ClaimSchema = Type.Object({
  workerId,
  leaseMs: Ms,
  waitMs: Ms,
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
});
const FailSchema = Type.Object({
  workerId,
  reason: Type.String({ minLength: 1 }),
  retryable: Type.Boolean(),
  retryDelayMs: Ms,
});

export const dispatchRoutes = [
  lenientRoute('POST', '/api/v1/dispatch/claim', {
    summary: 'Claim a batch',
    body: ClaimSchema,
    isRemembered: false,
    handle: async (service, { body, signal }) => (await claim(service, { ...body, limit: 1 }, signal()))[0],
  }),
  lenientRoute('POST', '/api/v1/dispatch/claim-many', {
    summary: 'Claim several batches',
    body: ClaimSchema,
    isRemembered: false,
    handle: async (service, { body, signal }) => {
      const batches = await claim(service, { ...body, limit: body.limit ?? 10 }, signal());
      return batches.length > 0 ? { batches } : undefined;
    },
  }),
  lenientRoute('POST', `${path}/heartbeat`, {
    summary: 'Extend the lease of a batch',
    body: Type.Object({ workerId, extendMs: Ms }),
    isRemembered: false,
    status: 204,
    handle: (service, { params, body: { workerId, extendMs } }) =>
      service.heartbeatBatch({ ...params, workerId, ...defined({ extendMs: nearest(extendMs, limits.leaseMs) }) }),
  }),
  lenientRoute('POST', `${path}/complete`, {
    summary: 'Complete a batch',
    body: Type.Object({ workerId }),
    status: 204,
    handle: (service, { params, body: { workerId }, write }) =>
      service.completeBatch({ ...params, workerId, ...write }),
  }),
  lenientRoute('POST', `${path}/fail`, {
    summary: 'Report that a batch failed',
    body: FailSchema,
    status: 204,
    handle: (service, { params, body: { workerId, reason, retryable, retryDelayMs }, write }) =>
      service.failBatch({
        ...params,
        workerId,
        reason: reason.slice(0, limits.reasonLength),
        retryable,
        ...defined({ retryDelayMs: nearest(retryDelayMs, { min: 0, max: limits.retryDelayMs }) }),
        ...write,
      }),
  }),
];

async function claim(
  service: HoldpointService,
  { workerId, leaseMs, waitMs, limit = 1 }: Static<typeof ClaimSchema>,
  signal: StopSignal,
) {
  const { data } = await service.claimBatches({
    workerId,
    limit: Math.min(limit, limits.claimedBatches),
    ...defined({ leaseMs: nearest(leaseMs, limits.leaseMs), waitMs: nearest(waitMs, { min: 0, max: limits.waitMs }) }),
    signal,
  });
  return Promise.all(data.map((batch) => loadBatch(service, batch)));
}

/** An outcome does not contain the question, so it is loaded. A closed question no longer changes. */
async function loadBatch(service: HoldpointService, batch: Batch) {
  const ids = batch.inputs.flatMap(({ interaction }) => (interaction ? [interaction.id] : []));
  const [thread, ...interactions] = await Promise.all([
    service.getThread({ threadId: batch.threadId }),
    ...ids.map((interactionId) => service.getInteraction({ interactionId })),
  ]);
  return toBatch(batch, thread, interactions);
}

/** Opengram accepts any time. Returns the nearest one that we accept. */
const nearest = (ms: number | undefined, { min, max }: { min: number; max: number }): number | undefined =>
  ms === undefined ? undefined : Math.min(Math.max(ms, min), max);
