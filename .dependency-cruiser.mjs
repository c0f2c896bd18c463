/** The arrows of ARCHITECTURE.md: each folder sees only what its place in a request's way lets it see. */
const server = 'packages/server/src';
const only = (name, from, allowed, comment) => ({
  name,
  severity: 'error',
  comment,
  from: { path: from, pathNot: '\\.(test|contract)\\.ts$' },
  to: { path: '^packages/', pathNot: [from, ...allowed] },
});

export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    only('protocol-stands-alone', '^packages/protocol', [], 'The contract imports nothing of ours.'),
    only(
      'mcp-sees-the-contract',
      '^packages/mcp',
      ['^packages/protocol'],
      'The tools are for any server of the contract.',
    ),
    only(
      'client-sees-the-contract',
      '^packages/client',
      ['^packages/protocol'],
      'It is for any server of the contract.',
    ),
    only('agents-see-the-contract', '^packages/agents', ['^packages/protocol'], 'A worker is for any service.'),
    only(
      'adapters-see-the-client',
      '^packages/adapters',
      ['^packages/protocol', '^packages/client'],
      'An adapter is for any server, by either transport.',
    ),
    only('widget-sees-the-contract', '^packages/widget', ['^packages/protocol'], 'It runs in somebody’s page.'),
    only(
      'console-sees-the-client',
      '^packages/console',
      ['^packages/protocol', '^packages/client', '^packages/widget'],
      'It is a page like any other, and calls what any page may.',
    ),
    only('conformance-stands-alone', '^packages/conformance', [], 'It knows a server by its answers alone.'),
    only('domain-is-pure', `^${server}/domain`, ['^packages/protocol'], 'Rules see the contract and nothing else.'),
    {
      name: 'domain-has-no-io',
      severity: 'error',
      from: { path: [`^${server}/domain`, '^packages/protocol/src'], pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    only(
      'operations-see-ports',
      `^${server}/operations`,
      [
        '^packages/protocol',
        `^${server}/domain`,
        `^${server}/stores/store\\.ts$`,
        `^${server}/blobs/(blob-store|at-most)\\.ts$`,
      ],
      'Operations load, decide and commit; they know no concrete store, no transport and no delivery.',
    ),
    only(
      'blobs-know-ids-and-bytes',
      `^${server}/blobs`,
      ['^packages/protocol', `^${server}/stores/(storage-error|postgres/(connection|database-error))\\.ts$`],
      'The bytes of files know no record and no rule.',
    ),
    only(
      'stores-know-no-transport',
      `^${server}/stores`,
      ['^packages/protocol', `^${server}/domain`, `^${server}/coalesced-runner\\.ts$`],
      'A store saves outcomes.',
    ),
    only(
      'delivery-reads-the-log',
      `^${server}/delivery`,
      [
        '^packages/protocol',
        `^${server}/domain`,
        `^${server}/coalesced-runner\\.ts$`,
        `^${server}/operations/(context|webhooks/send-deliveries|callbacks/send-callback)\\.ts$`,
        `^${server}/stores/store\\.ts$`,
        `^${server}/dialects/[^/]+/envelope\\.ts$`,
      ],
      'Readers of the log see the store through its port, report to operations, and see how a dialect writes an event.',
    ),
    only(
      'dialects-translate',
      `^${server}/dialects/.*(?<!routes)\\.ts$`,
      ['^packages/protocol', '^packages/mcp', `^${server}/dialects`],
      'A dialect is a pair of pure translations.',
    ),
    only(
      'dialect-routes-have-no-rules',
      `^${server}/dialects/.*routes\\.ts$`,
      ['^packages/protocol', '^packages/mcp', `^${server}/dialects`, `^${server}/http/(dialect|route|schemas)\\.ts$`],
      'And a table of routes that call the verbs.',
    ),
    {
      name: 'dialects-do-not-meet',
      severity: 'error',
      from: { path: `^${server}/dialects/([^/]+)/` },
      to: { path: `^${server}/dialects/[^/]+/`, pathNot: `^${server}/dialects/$1/` },
    },
    only(
      'http-calls-operations',
      `^${server}/http`,
      [
        '^packages/protocol',
        `^${server}/domain`,
        `^${server}/operations`,
        `^${server}/delivery`,
        `^${server}/dialects`,
        '^packages/mcp',
        `^${server}/stores/store\\.ts$`,
      ],
      'A transport parses, authenticates, calls one operation and renders.',
    ),
    {
      name: 'stores-do-not-meet',
      severity: 'error',
      from: { path: `^${server}/stores/([^/]+)/` },
      to: { path: `^${server}/stores/[^/]+/`, pathNot: `^${server}/stores/($1|sql|contract)/` },
    },
    {
      name: 'nobody-imports-the-server',
      severity: 'error',
      from: { path: '^packages/', pathNot: '^packages/server' },
      to: { path: '^packages/server' },
    },
    {
      name: 'concrete-pieces-are-named-once',
      severity: 'error',
      from: {
        path: `^${server}`,
        pathNot: [
          `^${server}/(open-data|cli)\\.ts$`,
          `^${server}/commands/doctor/`,
          `^${server}/(stores|blobs)/`,
          '\\.test\\.ts$',
        ],
      },
      to: { path: [`^${server}/stores/[^/]+/`, `^${server}/blobs/(file|postgres)-blobs\\.ts$`] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '\\.test\\.ts$'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { conditionNames: ['import', 'node', 'default'], exportsFields: ['exports'] },
  },
};
