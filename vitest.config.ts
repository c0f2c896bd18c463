import { resolve } from 'node:path';
import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const server = 'packages/server';

// Keeps compiled modules between processes and threads: a server starts with 40 % less processor time, a thread of the
// SQLite store with 60 % less. Coverage needs exact positions and goes without.
if (!process.argv.includes('--coverage')) process.env.NODE_COMPILE_CACHE = resolve('node_modules/.cache/compiled');

/** Tests that start servers, agents, package managers or compilers as processes. They run once, on SQLite. */
const processes = [
  `${server}/test/{agents,commands,client,mcp}/**/*.test.ts`,
  `${server}/test/*-crash.test.ts`,
  `${server}/test/{cli,crash,demo,dispatch-workers,drain,mcp-stdio,shutdown,uploads-spawned}.test.ts`,
  `${server}/test/sqlite/*.test.ts`,
  `${server}/test/conformance/{mcp-official,runner}.test.ts`,
  `${server}/test/oidc/*.test.ts`,
  'packages/adapters/test/**/*.test.ts',
  'packages/agents/test/**/*.test.ts',
  'packages/client/test/{bundle,types}.test.ts',
  'benchmarks/**/*.test.ts',
  'scripts/test/{packages,openapi-clients,workflows,snippets}.test.ts',
];
/** Tests that start the server as a process use its bundle. */
const builtServer = `${server}/test/build-server.ts`;
const browser = ['packages/{widget,console}/test/**/*.test.ts', 'packages/client/test/browser.test.ts'];

/** Contracts, conformance, races and stored data: where the stores could differ. */
const onPostgres = [
  `${server}/src/stores/postgres/**/*.test.ts`,
  `${server}/test/postgres/**/*.test.ts`,
  `${server}/test/conformance/conformance.test.ts`,
  `${server}/test/{deadlines,dispatch-workers,race,upgrade,upgrade-people}.test.ts`,
  `${server}/test/commands/doctor.test.ts`,
];

const covered = [`${server}/src/domain/**/*.ts`, 'packages/protocol/src/**/*.ts'];

/** Left out of `npm run test:fast`: tests that wait, send load, try thousands of values or start many servers. */
const slow = [
  '**/*fuzz.test.ts',
  `${server}/src/{stores/**,delivery/webhooks/runner.test.ts}`,
  `${server}/test/*.test.ts`,
  `${server}/test/conformance/**`,
  `${server}/test/dialects/{assistant,assistant-at-once,assistant-stream,chat-requests,chat-requests-chats,chat-requests-media}.test.ts`,
  `${server}/test/in-process/*.test.ts`,
  `${server}/test/http/**/{dispatch,webhooks,runs,webhook-storm,neighbours,console-session,upload-limits,slow-reader,rate-limits}.test.ts`,
  `${server}/test/http/**/{provider-down,callbacks}.test.ts`,
  `${server}/src/delivery/webhooks/resolve-host.test.ts`,
  'scripts/test/verify-script.test.ts',
];

/**
 * Every file belongs to one project, and to `postgres` as well if it is listed there. Two modes choose other sets:
 * `npm run test:fast` leaves out `slow`, `npm run test:postgres` runs all tests of the server on PostgreSQL.
 */
export default defineConfig(({ mode }) => {
  const isFast = mode === 'fast';
  /**
   * Node loads the files itself, and a worker loads each module once for all its test files: loading took more time
   * than testing. A test restores the timers and globals that it replaces.
   */
  const sharedModules = { isolate: false, experimental: { viteModuleRunner: false, nodeLoader: false } };
  /** Tests that compute, then tests that wait for a process, a disk or a deadline. */
  const busy = { maxWorkers: 3, sequence: { groupOrder: 0 } };
  const waiting = { maxWorkers: 4, sequence: { groupOrder: 1 } };
  const project = (test: NonNullable<Extract<TestProjectConfiguration, { test?: unknown }>['test']>) => ({
    extends: true as const,
    test,
  });
  return {
    test: {
      // Limits only tests that hang. A busy machine must not fail a test.
      testTimeout: 300_000,
      hookTimeout: 300_000,
      expect: { poll: { timeout: 60_000 } },
      setupFiles: ['scripts/seed-properties.ts'],
      // Servers under test get their database from the test, never from the environment.
      env: { DATABASE_URL: '' },
      // `npm run coverage`: the pure code, by its unit tests.
      coverage: {
        provider: 'v8',
        include: covered,
        exclude: ['**/*.{test,fixture}.ts'],
        reporter: ['text-summary', 'json-summary', 'html'],
        thresholds: Object.fromEntries(covered.map((folder) => [folder, { branches: 95 }])),
      },
      projects: [
        project({
          name: 'unit',
          ...sharedModules,
          ...busy,
          pool: 'threads',
          include: ['packages/*/{src,test}/**/*.test.ts', 'scripts/test/*.test.ts'],
          exclude: [
            ...[...processes, ...browser, ...(isFast ? slow : [])],
            ...[`${server}/src/stores/{sqlite,postgres}/**`, `${server}/test/**`],
          ],
        }),
        project({
          name: 'sqlite',
          ...sharedModules,
          ...busy,
          provide: { store: 'sqlite' },
          globalSetup: [builtServer],
          include: [`${server}/src/stores/sqlite/**/*.test.ts`, `${server}/test/**/*.test.ts`],
          exclude: [...processes, `${server}/test/postgres/**`, ...(isFast ? slow : [])],
        }),
        project({
          name: 'postgres',
          ...sharedModules,
          ...waiting,
          provide: { store: 'postgres' },
          globalSetup: [builtServer, `${server}/test/postgres/global-setup.ts`],
          include:
            mode === 'postgres'
              ? [`${server}/src/stores/postgres/**/*.test.ts`, `${server}/test/**/*.test.ts`]
              : onPostgres,
          exclude: [`${server}/test/sqlite/**`],
        }),
        project({
          name: 'processes',
          ...waiting,
          provide: { store: 'sqlite' },
          globalSetup: [builtServer],
          include: processes,
        }),
        project({
          name: 'browser',
          ...waiting,
          include: browser,
          globalSetup: [builtServer, 'packages/widget/test/global-setup.ts', 'packages/console/test/global-setup.ts'],
        }),
        project({
          name: 'examples',
          ...waiting,
          include: ['examples/examples.test.ts'],
          maxConcurrency: 2,
          // One of the pages loads the widget from its server.
          globalSetup: ['packages/widget/test/global-setup.ts', 'examples/find-curl.ts'],
        }),
      ],
    },
  };
});
