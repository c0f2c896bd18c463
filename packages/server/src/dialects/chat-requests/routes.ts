/** The dialect of Opengram, with the calls about the server as a whole: its configuration and its tags. */
import {
  type DispatchSettings,
  defined,
  type HoldpointService,
  limits,
  strictObject,
  type Thread,
} from '@holdpoint/protocol';
import { Type } from 'typebox';
import { envelopeEventTypes, toEnvelope, toEphemeralEnvelope } from '../../delivery/webhooks/opengram-envelope.ts';
import { type Dialect, streamRoute } from '../../routes/dialect.ts';
import { gatherPage } from '../gather-page.ts';
import { chatFacts } from './chat-codec.ts';
import { chatRoutes } from './chat-routes.ts';
import { dispatchRoutes } from './dispatch-routes.ts';
import { renderFault } from './fault-codec.ts';
import { lenientRoute } from './lenient-routes.ts';
import { mediaRoutes } from './media-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { requestRoutes } from './request-routes.ts';

import { searchRoutes } from './search-routes.ts';

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
  lenientRoute('GET', '/api/v1/config', {
    summary: 'Get the configuration',
    handle: async (service) => toShownConfig(await service.getDispatchSettings({})),
  }),
  lenientRoute('GET', '/api/v1/tags/suggestions', {
    summary: 'List tags by their beginning, the most used first',
    query: TagsQuery,
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

/** The events of the chats in the envelope of Opengram. */
const eventStream = streamRoute({
  path: '/api/v1/events/stream',
  query: strictObject({
    cursor: Type.Optional(Type.String({ maxLength: 64 })),
    ephemeral: Type.Optional(Type.Enum(['true', 'false'], { default: 'true' })),
    // Accepted and ignored.
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    token: Type.Optional(Type.String()),
  }),
  types: envelopeEventTypes,
  read: ({ cursor, ephemeral }) => ({
    ephemeral: ephemeral !== 'false',
    ...defined({ after: cursor }),
  }),
  render: toEnvelope,
  renderEphemeral: toEphemeralEnvelope,
  takesTokenInQuery: true,
});

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
