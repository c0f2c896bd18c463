/** A folder of its own for each test of a file, and an end to every server that a test leaves running. */
import { rmSync } from 'node:fs';
import { afterEach, beforeEach } from 'vitest';
import { type SpawnedServer, type SpawnOptions, spawnServer } from './spawned-server.ts';
import { newFolder } from './test-server.ts';

export function serversOfATest() {
  const servers = {
    folder: '',
    /** Killed after the test. */
    running: new Set<{ kill(signal: NodeJS.Signals): unknown }>(),
    async start(options: Omit<SpawnOptions, 'folder'> = {}): Promise<SpawnedServer> {
      const server = await spawnServer({ folder: servers.folder, ...options });
      servers.running.add(server);
      return server;
    },
  };
  beforeEach(() => {
    servers.folder = newFolder();
  });
  afterEach(async () => {
    for (const server of servers.running) await server.kill('SIGKILL');
    servers.running.clear();
    rmSync(servers.folder, { recursive: true, force: true });
  });
  return servers;
}
