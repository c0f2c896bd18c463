/** What the agent of the demo is given of the server's environment: what Node needs to run, and nothing that is a secret. */
const passed = new Set(['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SYSTEMROOT', 'LANG', 'TZ', 'MALLOC_ARENA_MAX']);

/** Whatever the case: on Windows names have none. */
export const demoEnvironment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => passed.has(name.toUpperCase())));
