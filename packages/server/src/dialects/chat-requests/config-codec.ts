/** The configuration that Opengram shows, as far as it has a meaning here. */
import { type DispatchSettings, limits } from '@holdpoint/protocol';
import { Type } from 'typebox';

const Milliseconds = Type.Integer({ minimum: 0 });

export const ConfigSchema = Type.Object({
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

/** Idempotency keys are kept for ever here; a client that counts the seconds gets a number all the same. */
const tenYearsInSeconds = 315_360_000;

/**
 * Agents and models are not configured here, so both lists are empty. The address of the server is not shown, because a
 * client has just used it.
 */
export const toShownConfig = ({ mode, debounceMs, typingGraceMs, maxWaitMs }: DispatchSettings) => ({
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
