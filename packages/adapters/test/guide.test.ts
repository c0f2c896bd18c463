/** The programs of the guide run as they are. */
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { guidePrograms } from './guide-programs.ts';
import { adminKey } from './spawned.ts';
import { stageOfATest } from './stage.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const openStage = stageOfATest();

test.for([...guidePrograms])('[AD1] %s of the guide asks, and ends with the outcomes', async ([name, source]) => {
  await using at = await openStage();
  const folder = at.processes.newFolder();
  symlinkSync(modules, join(folder, 'node_modules'));
  const file = join(folder, `${name}.mts`);
  writeFileSync(file, source);
  const title = 'Deploy release 4.2';
  const agent = at.processes.start([file], {
    HOLDPOINT_URL: at.server,
    HOLDPOINT_AGENT_KEY: adminKey,
    THREAD_ID: at.thread.id,
    MODEL_URL: at.model.url,
    STATE_FILE: join(folder, 'state.json'),
    PROMPT: JSON.stringify([{ title }]),
  });
  const [asked] = await at.asked(1);
  await at.hp.answer(asked?.id ?? '', { decision: 'allow' });
  const said = JSON.parse(await agent.output());
  expect([`Done: ${title}`, { status: 'answered', values: { decision: 'allow' } }]).toContainEqual(said[title]);
});
