/** The guide to workflow engines: its programs run unchanged on the real engines and are killed while they wait for an answer. */
import { readFileSync } from 'node:fs';
import { Holdpoint } from '@holdpoint/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAdminKey, type RunningServer, startServer } from '../../examples/start-server.ts';
import { freePort } from '../../packages/server/test/postgres/free-port.ts';
import { type Postgres, startPostgres } from '../../packages/server/test/postgres/start-postgres.ts';
import { packAll } from '../pack.ts';
import { Consumer } from './consumer.ts';

const engines = ['@restatedev/restate-sdk@1.17.2', '@restatedev/restate-server@1.7.12', '@dbos-inc/dbos-sdk@5.3.0'];
const guide = readFileSync('docs/guides/workflows.md', 'utf8');
const adminKey = newAdminKey();
let consumer: Consumer;
let server: RunningServer;
let env: Record<string, string>;
let hp: Holdpoint;

// Installing the engines may take minutes on a busy machine.
const patienceMs = 900_000;

/** The first program under a heading. */
function programOf(heading: string, which = 0): string {
  const [, section = ''] = guide.split(`\n## ${heading}\n`);
  const programs = [...(section.split('\n## ')[0] ?? '').matchAll(/^```js\n([\s\S]*?)^```$/gm)];
  return programs[which]?.[1] ?? '';
}

beforeAll(async () => {
  const tarballs = await packAll('build/test-workflows', ['protocol', 'client']);
  consumer = new Consumer();
  await consumer.install([...tarballs.values(), ...engines]);
  consumer.write('ask.mjs', programOf('Shared code'));
  consumer.write('callbacks.mjs', programOf('Shared code', 1));
  consumer.write('restate.mjs', programOf('Restate'));
  consumer.write('dbos.mjs', programOf('DBOS'));
  server = await startServer({ adminKey, flags: ['--allow-private-webhooks'] });
  hp = new Holdpoint({ url: server.url, key: adminKey });
  const { secret: agentKey = '' } = await hp.createApiKey({ name: 'workflows', role: 'agent' });
  env = { HOLDPOINT_URL: server.url, HOLDPOINT_AGENT_KEY: agentKey };
}, patienceMs);
afterAll(async () => {
  consumer?.remove();
  await server?.stop();
});

/** Waits for the question of this version. */
async function asked(version: string): Promise<string> {
  const find = async () =>
    (await hp.listInteractions({ status: 'pending' })).data.find(({ title }) => title === `Deploy ${version}?`)?.id;
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}

const delivered = (interactionId: string) =>
  expect.poll(async () => (await hp.getCallback({ interactionId })).status).toBe('delivered');

test('[WH34] a Restate handler is woken by its awakeable, though its process was killed meanwhile', async () => {
  const [ingress, admin, node, port] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const restate = consumer.start('npx', ['restate-server', '--node-name', 'one'], {
    ...{ RESTATE_DISABLE_TELEMETRY: 'true', DO_NOT_TRACK: '1', RESTATE_LOG_FILTER: 'warn' },
    RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingress}`,
    RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${admin}`,
    RESTATE_BIND_ADDRESS: `127.0.0.1:${node}`,
    RESTATE_ADVERTISED_ADDRESS: `http://127.0.0.1:${node}`,
  });
  const url = `http://127.0.0.1:${ingress}`;
  const start = () => consumer.start('node', ['restate.mjs'], { ...env, PORT: `${port}`, RESTATE_INGRESS: url });
  let worker = start();
  await expect.poll(worker.printed).toContain('ready');
  const post = (to: string, body: unknown) =>
    fetch(to, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  const isRegistered = () =>
    post(`http://127.0.0.1:${admin}/deployments`, { uri: `http://127.0.0.1:${port}` }).then(
      ({ ok }) => ok,
      () => false,
    );
  await expect.poll(isRegistered, { interval: 500 }).toBe(true);
  const sent = await post(`${url}/deployment/run/send`, '4.2');
  const { invocationId } = (await sent.json()) as { invocationId: string };
  const id = await asked('4.2');
  await worker.kill('SIGKILL');
  await hp.answer(id, { decision: 'allow' });
  await delivered(id);
  worker = start();
  const output = await fetch(`${url}/restate/invocation/${invocationId}/attach`);
  expect(await output.json()).toBe('deploying 4.2');
  await worker.kill('SIGKILL');
  await restate.kill('SIGTERM');
});

test('[WH34][WH35] a DBOS workflow gets a callback that came while its process was down', async () => {
  const postgres: Postgres = await startPostgres({ fsync: false });
  try {
    const port = `${await freePort()}`;
    const ofDbos = { ...env, PORT: port, DBOS_SYSTEM_DATABASE_URL: postgres.url };
    const first = consumer.start('node', ['dbos.mjs', '4.3'], ofDbos);
    const id = await asked('4.3');
    const forged = await fetch(`http://127.0.0.1:${port}/deploy-4.3`, { method: 'POST', body: '{}' });
    expect(forged.status).toBe(400);
    await first.kill('SIGKILL');
    await hp.answer(id, { decision: 'deny' });
    await expect.poll(async () => (await hp.getCallback({ interactionId: id })).attempts.length).toBeGreaterThan(0);
    const second = consumer.start('node', ['dbos.mjs', '4.3'], ofDbos);
    await expect.poll(second.printed).toContain('not deployed');
    await second.kill('SIGKILL');
  } finally {
    await postgres.discard();
  }
});
