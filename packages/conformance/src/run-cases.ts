/** Runs cases one after the other and says what came of each. */
import type { Case } from './case.ts';
import { World } from './world.ts';

export interface Result {
  suite: Case['suite'];
  name: string;
  ok: boolean;
  /** Why not. */
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
    const result = { suite, name, ok: failure === undefined, ...(failure === undefined ? {} : { failure }), ms };
    results.push(result);
    onResult(result);
  }
  return results;
}

const explain = (error: unknown): string => (error instanceof Error ? error.message : String(error));
