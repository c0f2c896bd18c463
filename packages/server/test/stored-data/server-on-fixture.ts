/** For each test of a block: a server of this version, on its own copy of a fixture, at the time when it was written. */
import { afterEach, beforeEach } from 'vitest';
import { type SpecServer, startSpecServer } from '../http/openapi/spec-server.ts';
import { openFixture, type Stored } from './stored-fixtures.ts';
import waitingAgent from './waiting-agent.ts';

export function serverOnFixture(name: string): { server: SpecServer; stored: Stored } {
  const opened = {} as { server: SpecServer; stored: Stored };
  beforeEach(async () => {
    opened.stored = await openFixture(name);
    const { place, madeAt: startAt } = opened.stored;
    const agents = [waitingAgent];
    opened.server = await startSpecServer({ place, startAt, responderRateLimit: 0, internals: { agents } });
  });
  afterEach(async () => {
    await opened.server[Symbol.asyncDispose]();
    await opened.stored.place[Symbol.asyncDispose]();
  });
  return opened;
}
