import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ModelServer, startModelServer } from '../../../agents/test/model-server.ts';
import { runCommand } from '../run-command.ts';
import { serversOfATest } from '../servers-of-a-test.ts';
import { serveCommand } from '../spawned-server.ts';

const servers = serversOfATest();
const styles = [
  { id: 'style_1', name: 'Cinematic' },
  { id: 'style_2', name: 'Minimalist' },
];

let model: ModelServer;

beforeEach(async () => {
  model = await startModelServer();
});
afterEach(() => model[Symbol.asyncDispose]());

const start = () =>
  servers.start({
    args: ['--assistant'],
    env: { HOLDPOINT_MODEL_URL: model.url, HOLDPOINT_MODEL: 'scripted', HOLDPOINT_MODEL_KEY: 'model-key' },
  });

test('[AS9] [AS11] --assistant answers with the model, and goes on after it was killed', async () => {
  model.script(
    { text: ['Which?'], toolCalls: [{ id: 'tc_1', name: 'presentStyleOptions', args: { styles } }] },
    { text: ['Great choice!'] },
  );
  const first = await start();
  const { id } = (await first.admin.post<{ id: string }>('/v1/threads')).body;
  const path = `/api/v1/chats/${id}/messages`;
  const asked = await first.admin.post(path, { message: 'Make a video' });
  expect(asked.body).toMatchObject({ status: 'interaction_required', interaction: { options: styles } });
  await first.kill('SIGKILL');
  const second = await start();
  const done = await second.admin.post(path, { message: "Let's go with Cinematic" });
  expect(done.body).toMatchObject({ status: 'complete', assistantText: 'Great choice!' });
  expect(model.requests.map(({ authorization }) => authorization)).toEqual(['Bearer model-key', 'Bearer model-key']);
});

test('[AS9] --assistant without a model says so on one line', async () => {
  const env = { HOLDPOINT_MODEL_URL: model.url, HOLDPOINT_MODEL: '', HOLDPOINT_MODEL_KEY: 'model-key' };
  const ended = await runCommand(serveCommand(servers.place, ['--assistant']), env);
  expect(ended).toMatchObject({ code: 2, stderr: 'holdpoint: --assistant needs a model: set HOLDPOINT_MODEL\n' });
});
