/** Checks the server once before the cases run, runs them in order and reports each result. */
import type { Case, Suite } from './case.ts';
import { World } from './world.ts';

export interface Result {
  suite: Case['suite'];
  name: string;
  ok: boolean;
  /** The reason of a failure. */
  failure?: string;
  ms: number;
}

export async function runCases(
  cases: readonly Case[],
  server: ConstructorParameters<typeof World>[0],
  onResult: (result: Result) => void = () => {},
): Promise<Result[]> {
  const world = new World(server);
  const results: Result[] = [];
  for (const { suite, name, run } of cases) {
    const startedAt = performance.now();
    const failure = await run(world).then(() => undefined, explain);
    const ms = Math.round(performance.now() - startedAt);
    const result = { suite, name, ok: failure === undefined, ...(failure !== undefined && { failure }), ms };
    results.push(result);
    onResult(result);
  }
  return results;
}

const explain = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Suites that other servers implement. The other suites need the native API and an admin key. */
const ofOthers: readonly Suite[] = ['chat-requests'];

/** Returns one sentence about the problem, or nothing. */
export async function checkServer(
  { url, key }: { url: string; key: string },
  suites: readonly Suite[],
): Promise<string | undefined> {
  const isOfOthers = suites.every((suite) => ofOthers.includes(suite));
  // The stream requires the key on every server, also if reading needs none. The unknown cursor prevents that it begins.
  const path = isOfOthers ? '/api/v1/events/stream?cursor=nobody-gave-this' : '/v1/keys?limit=1';
  const expected = isOfOthers ? 400 : 200;
  try {
    const { status } = await new World({ url, key }).get(path);
    if (status === expected) return undefined;
    if (status === 401) return `The server at ${url} does not accept this key.`;
    if (status === 403) return 'The key is not an admin key.';
    return `${url} is not a server of this protocol: GET ${path} answers ${status}.`;
  } catch (error) {
    return `No server answers at ${url}: ${reasonOf(error)}.`;
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { code?: string; message?: string };
  return code ?? inner ?? message;
}
