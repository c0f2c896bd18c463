/** Each adapter as it is published, with each version of its framework that its peer range begins with, and no other framework. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guidePrograms } from './guide-programs.ts';
import { openPeerStage } from './peers/peer-stage.ts';
import { type PeerVersion, ranges, versions } from './peers/peer-versions.ts';
import { typeProblems } from './peers/type-problems.ts';
import { adminKey } from './spawned.ts';
import { stageOfATest } from './stage.ts';

const openStage = stageOfATest();
let peers: Awaited<ReturnType<typeof openPeerStage>>;
beforeAll(async () => {
  peers = await openPeerStage();
});
afterAll(() => rmSync(peers.root, { recursive: true, force: true }));

const programsOf: Record<string, string[]> = {
  '@openai/agents': ['agent-with-people'],
  '@langchain/langgraph': ['graph-with-people'],
  '@ag-ui/client': ['ag-ui-agent'],
  '@a2a-js/sdk': ['a2a-agent'],
};

/** The programs of the guide. The AI SDK 5 knows no approvals; its version 6 asks for them as the guide says. */
function programsFor({ name, version }: PeerVersion): { program: string; source: string }[] {
  const major = name === 'ai' ? Number(version.split('.')[0]) : 0;
  const ofAi = ['ask-in-a-tool', ...(major > 5 ? ['deploy-with-approval'] : [])];
  return (name === 'ai' ? ofAi : (programsOf[name] ?? [])).map((program) => {
    const source = guidePrograms.get(program);
    if (source === undefined) throw new Error(`The guide has no ${program}.`);
    return { program, source: major === 6 ? asInVersion6(source) : source };
  });
}

const asInVersion6 = (source: string): string =>
  source
    .replace("    toolApproval: { deploy: 'user-approval' },\n", '')
    .replace("description: 'Deploys a release.',", '$& needsApproval: true,')
    .replace('result.responseMessages', 'result.response.messages');

const older = versions.filter(({ isCurrent }) => !isCurrent);
const title = 'Deploy release 4.2';
const other = 'Deploy release 4.3';

describe.each(older)('[AD27] $name $version', (peer) => {
  test.each(programsFor(peer))('$program asks, and goes on with a yes and with a no', async ({ program, source }) => {
    const folder = peers.folderFor(peer);
    const file = join(folder, `${program}.mts`);
    writeFileSync(file, source);

    async function run(
      answer: (at: Awaited<ReturnType<typeof openStage>>, id: string, isEdit: boolean) => Promise<unknown>,
    ) {
      await using at = await openStage();
      const agent = at.processes.start([file], {
        HOLDPOINT_URL: at.server,
        HOLDPOINT_AGENT_KEY: adminKey,
        THREAD_ID: at.thread.id,
        MODEL_URL: at.model.url,
        STATE_FILE: join(at.processes.newFolder(), 'state.json'),
        PROMPT: JSON.stringify([{ title }]),
      });
      const [asked] = await at.asked(1);
      const isEdit = asked?.fields.some((field) => 'name' in field && field.name === 'title') ?? false;
      await answer(at, asked?.id ?? '', isEdit);
      return { said: JSON.parse(await agent.output()), isEdit, users: at.model.conversations.at(-1)?.users };
    }

    const allow = (title: string) =>
      run((at, id, isEdit) => at.hp.answer(id, { decision: 'allow', ...(isEdit ? { title } : {}) }));
    const [yes, no] = await Promise.all([allow(other), run((at, id) => at.hp.decline(id, 'Not today.'))]);
    if (yes.isEdit) {
      // The tool takes no empty title. The first versions of ai 6 and 7 throw that, later ones tell the model.
      const refused = await allow('').then(({ said }) => JSON.stringify(said), String);
      expect(refused).toMatch(/Invalid|error/);
      expect(refused).not.toContain('Done');
      expect(yes.said).toEqual({ [other]: `Done: ${other}` });
      // The model knows what it had proposed.
      expect(yes.users?.join()).toContain(JSON.stringify({ title: other }));
      expect(no.said).toEqual({ [title]: 'declined: Not today.' });
    } else {
      expect(yes.said).toEqual({ [title]: { status: 'answered', values: { decision: 'allow' } } });
      expect(no.said).toEqual({ [title]: { status: 'declined', reason: 'Not today.' } });
    }
  });
});

test('[AD27] the published types fit each version', () => {
  const files = versions.flatMap((peer) => {
    const folder = peers.folderFor(peer);
    return programsFor(peer).map(({ program, source }) => {
      const file = join(folder, `${program}.mts`);
      writeFileSync(file, source);
      return file;
    });
  });
  expect(typeProblems(peers.root, files)).toEqual([]);
});

test.each(Object.keys(ranges))('[AD27] the versions with which the range of %s begins are among those', (name) => {
  // It always has the version of its client.
  const tried = versions.filter((each) => each.name === (name === '@ag-ui/core' ? '@ag-ui/client' : name));
  const first = [...(ranges[name] ?? '').matchAll(/(?:\^|>=)(\d+\.\d+\.\d+)/g)].map(([, version]) => version);
  expect(first.length).toBeGreaterThan(0);
  expect(tried.map(({ version }) => version)).toEqual(expect.arrayContaining(first));
});
