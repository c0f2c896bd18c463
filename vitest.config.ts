import { defineConfig, type TestProjectConfiguration } from 'vitest/config';

const server = 'packages/server';

/** What a server does, on one of its stores, and what only this store does. */
const onStore = (store: 'sqlite' | 'postgres', other: 'sqlite' | 'postgres'): TestProjectConfiguration => ({
  extends: true,
  test: {
    name: store,
    provide: { store },
    globalSetup: store === 'postgres' ? [`${server}/test/postgres/global-setup.ts`] : [],
    include: [`${server}/src/stores/${store}/**/*.test.ts`, `${server}/test/**/*.test.ts`],
    exclude: [`${server}/test/${other}/**`],
  },
});

export default defineConfig({
  test: {
    // Only what hangs is cut off: no test is decided by how busy the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    setupFiles: ['scripts/seed-properties.ts'],
    // Most of them wait for a process, a disk or a deadline.
    maxWorkers: 3,
    // Servers under test are told their database; they must not find the one that is given to the tests.
    env: { DATABASE_URL: '' },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'packages/*/test/**/*.test.ts',
            'benchmarks/**/*.test.ts',
            'scripts/test/*.test.ts',
          ],
          exclude: [
            `${server}/src/stores/{sqlite,postgres}/**`,
            `${server}/test/**`,
            'packages/{widget,console}/test/**',
            'packages/client/test/browser.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['packages/{widget,console}/test/**/*.test.ts', 'packages/client/test/browser.test.ts'],
          globalSetup: ['packages/widget/test/global-setup.ts', 'packages/console/test/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'examples',
          include: ['examples/examples.test.ts'],
          maxConcurrency: 2,
          // One of the pages has the script of the widget from its server.
          globalSetup: ['packages/widget/test/global-setup.ts', 'examples/find-curl.ts'],
        },
      },
      onStore('sqlite', 'postgres'),
      onStore('postgres', 'sqlite'),
    ],
  },
});
