/** The dialect of Opengram, with the calls about the server as a whole: its configuration and its tags. */
import { type DispatchSettings, type HoldpointService, limits, type Thread } from '@holdpoint/protocol';
import { Type } from 'typebox';
import type { Dialect } from '../../routes/dialect.ts';
import { route } from '../../routes/route.ts';
import { gatherPage } from '../gather-page.ts';
import { chatFacts } from './chat-codec.ts';
import { chatRoutes } from './chat-routes.ts';
import { dispatchRoutes } from './dispatch-routes.ts';
import { renderFault } from './fault-codec.ts';
import { mediaRoutes } from './media-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { requestRoutes } from './request-routes.ts';
import { Anything } from './schemas.ts';
import { searchRoutes } from './search-routes.ts';
import { eventStream } from './stream.ts';

const Milliseconds = Type.Integer({ minimum: 0 });

const ConfigSchema = Type.Object({
  appName: Type.String(),
  maxUploadBytes: Type.Integer(),
  allowedMimeTypes: Type.Array(Type.String()),
  titleMaxChars: Type.Integer(),
  agents: Type.Array(Type.Unknown()),
  models: Type.Array(Type.Unknown()),
  push: Type.Object({ enabled: Type.Boolean(), vapidPublicKey: Type.Null(), subject: Type.Null() }),
  security: Type.Object({
    instanceSecretEnabled: Type.Boolean(),
    readEndpointsRequireInstanceSecret: Type.Boolean(),
  }),
  server: Type.Object({
    publicBaseUrl: Type.String(),
    port: Type.Integer(),
    streamTimeoutSeconds: Type.Integer(),
    idempotencyTtlSeconds: Type.Integer(),
    dispatch: Type.Object({
      mode: Type.Enum(['immediate', 'sequential', 'batched_sequential']),
      batchDebounceMs: Milliseconds,
      typingGraceMs: Milliseconds,
      maxBatchWaitMs: Milliseconds,
      schedulerTickMs: Milliseconds,
      leaseMs: Milliseconds,
      heartbeatIntervalMs: Milliseconds,
      claimWaitMs: Milliseconds,
      retryBaseMs: Milliseconds,
      retryMaxMs: Milliseconds,
      maxAttempts: Type.Integer(),
      execution: Type.Object({
        autoscaleEnabled: Type.Boolean(),
        minConcurrency: Type.Integer(),
        maxConcurrency: Type.Integer(),
        scaleCooldownMs: Milliseconds,
      }),
      claim: Type.Object({ claimManyLimit: Type.Integer() }),
    }),
  }),
  hooks: Type.Array(Type.Unknown()),
  autoRename: Type.Null(),
  autoRenameProviders: Type.Array(Type.Unknown()),
});

/** Idempotency keys never expire, but clients expect a number of seconds. */
const tenYearsInSeconds = 315_360_000;

/**
 * Agents and models are not configured here, so both lists are empty. The address of the server is not shown, because a
 * client has just used it.
 */
const toShownConfig = ({ mode, debounceMs, typingGraceMs, maxWaitMs }: DispatchSettings) => ({
  appName: 'Holdpoint',
  maxUploadBytes: limits.fileSizeMb * 1024 * 1024,
  allowedMimeTypes: ['*/*'],
  titleMaxChars: limits.titleLength,
  agents: [],
  models: [],
  push: { enabled: false, vapidPublicKey: null, subject: null },
  security: { instanceSecretEnabled: true, readEndpointsRequireInstanceSecret: true },
  server: {
    publicBaseUrl: '',
    port: 0,
    streamTimeoutSeconds: 60,
    idempotencyTtlSeconds: tenYearsInSeconds,
    dispatch: {
      ...{ mode, batchDebounceMs: debounceMs, typingGraceMs, maxBatchWaitMs: maxWaitMs },
      ...{ schedulerTickMs: 500, leaseMs: 30_000, heartbeatIntervalMs: 5_000, claimWaitMs: 10_000 },
      ...{ retryBaseMs: 500, retryMaxMs: 30_000, maxAttempts: 8 },
      execution: { autoscaleEnabled: true, minConcurrency: 2, maxConcurrency: 10, scaleCooldownMs: 5_000 },
      claim: { claimManyLimit: 10 },
    },
  },
  hooks: [],
  autoRename: null,
  autoRenameProviders: [],
});

/** Number of chats with tags that are read, newest first. */
const tagged = 1_000;

const TagsQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: limits.labelLength })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })),
});

const instanceRoutes = [
  route({
    method: 'GET',
    path: '/api/v1/config',
    tag: 'Config',
    summary: 'Get the configuration',
    query: Anything,
    status: 200,
    response: ConfigSchema,
    handle: async (service) => toShownConfig(await service.getDispatchSettings({})),
  }),
  route({
    method: 'GET',
    path: '/api/v1/tags/suggestions',
    tag: 'Tags',
    summary: 'List tags by their beginning, the most used first',
    description: 'Of the newest 1,000 chats that have any.',
    query: TagsQuery,
    status: 200,
    response: Type.Object({
      data: Type.Array(Type.Object({ name: Type.String(), usage_count: Type.Integer() })),
    }),
    handle: async (service, { query: { q = '', limit = 10 } }) => {
      const beginning = q.trim().toLowerCase();
      return { data: beginning === '' ? [] : (await countTags(service, beginning)).slice(0, limit) };
    },
  }),
];

async function countTags(service: HoldpointService, beginning: string) {
  const hasTags = (thread: Thread) => chatFacts(thread).tags.length > 0;
  const { data } = await gatherPage((from) => service.listThreads(from), hasTags, { limit: tagged });
  const counts = new Map<string, number>();
  for (const tag of data.flatMap((thread) => chatFacts(thread).tags))
    if (tag.toLowerCase().startsWith(beginning)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .map(([name, usage_count]) => ({ name, usage_count }))
    .sort((a, b) => b.usage_count - a.usage_count || (a.name < b.name ? -1 : 1));
}

export const chatRequests: Dialect = {
  name: 'chat-requests',
  prefixes: ['/api/v1'],
  routes: [
    ...chatRoutes,
    ...messageRoutes,
    ...requestRoutes,
    ...dispatchRoutes,
    ...mediaRoutes,
    ...searchRoutes,
    ...instanceRoutes,
  ],
  stream: eventStream,
  documents: {
    // Opengram's setup program recognizes its server by this name.
    '/api/v1/health': ({ version, uptimeSeconds }) => ({
      ...{ service: 'opengram', status: 'ok', version, uptime: uptimeSeconds },
    }),
  },
  renderFault,
};
