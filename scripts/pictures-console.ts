/** Makes the pictures of the console, on a server with the questions of one day and a started demo. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchKey } from '../benchmarks/request-bytes.ts';
import { spawnHoldpoint } from '../benchmarks/spawn-server.ts';
import type { openBrowser, Page } from '../packages/widget/test/open-browser.ts';
import * as story from './pictures-story.ts';
import { squeezed } from './squeeze-picture.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Prepare = (page: Page) => Promise<unknown>;

const minuteMs = 60_000;
const bucketMs = 60 * minuteMs;
const oldestMinutes = 69;

interface Asked {
  title: string;
  createdAt: string;
}

/** In the order of taking: the demo asks as well, so its thread comes after the inbox. */
const pictures: Record<string, { hash: string; dark?: boolean; height?: number; prepare: Prepare }> = {
  'console-inbox': {
    hash: '#/inbox',
    async prepare(page) {
      await page.getByRole('link', { name: /Deploy payments 4\.2/ }).click();
      await page.getByRole('button', { name: 'Allow' }).waitFor();
    },
  },
  'console-overview': {
    hash: '#/',
    height: 890,
    prepare: (page) => page.getByText('Rotate the signing key').first().waitFor(),
  },
  'console-playground': {
    hash: '#/playground',
    async prepare(page) {
      await page.getByText('Valid request').waitFor();
      await page.getByRole('button', { name: 'Allow' }).waitFor();
    },
  },
  'console-thread': {
    hash: '#/',
    height: 940,
    async prepare(page) {
      await page.getByRole('button', { name: 'Start demo' }).click();
      await page.getByRole('radio', { name: 'Production' }).check();
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByLabel('Strategy').selectOption('canary');
      // Removes the focus.
      await page.getByRole('heading', { level: 1 }).click();
    },
  },
};

export async function takeConsole(
  browser: Browser,
  isWanted: (name: string) => boolean,
  keep: (name: string, shot: Buffer) => void,
): Promise<void> {
  const wanted = Object.entries(pictures).filter(([name]) => isWanted(name));
  if (wanted.length === 0) return;
  const data = mkdtempSync(join(tmpdir(), 'holdpoint-pictures-'));
  const place = { flags: ['--data', data], remove: async () => rmSync(data, { recursive: true, force: true }) };
  const server = await spawnHoldpoint(place);
  const url = `http://127.0.0.1:${server.port}`;
  try {
    await ask(url);
    for (const [name, { hash, dark = false, height = 800, prepare }] of wanted) {
      const context = await browser.newContext({
        viewport: { width: 1280, height },
        deviceScaleFactor: 1.5,
        colorScheme: dark ? 'dark' : 'light',
        reducedMotion: 'reduce',
        timezoneId: 'UTC',
        // Loads the font only.
        bypassCSP: true,
        locale: 'en',
      });
      await context.addCookies([await signIn(url)]);
      const page = await context.newPage();
      await letTimePass(page);
      await page.goto(`${url}/${hash}`);
      await page.addStyleTag({ content: ':root { --hp-font: Inter, system-ui, sans-serif }' });
      await prepare(page);
      await page.evaluate('document.fonts.ready');
      await page.waitForTimeout(700);
      await page.mouse.move(0, 0);
      keep(name, squeezed(await page.screenshot()));
      await context.close();
    }
  } finally {
    await server.stop();
    await place.remove();
  }
}

let adminId: string | undefined;

/** Signs in as the first admin, and returns the cookie of a new session. */
async function signIn(url: string) {
  const post = (path: string, headers: Record<string, string>, body: object) =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const forAdmin = adminId === undefined ? {} : { personId: adminId };
  const created = await post('/v1/sign-in-links', { authorization: `Bearer ${benchKey}` }, forAdmin);
  const { url: link } = (await created.json()) as { url: string };
  const opened = { link: link.slice(link.lastIndexOf('/') + 1), name: 'Ada Rossi' };
  const reply = await post('/console/session', { 'x-holdpoint-console': '1' }, opened);
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(reply.headers.get('set-cookie') ?? '') ?? [];
  const session = await fetch(`${url}/console/session`, { headers: { cookie: `${name}=${value}` } });
  adminId ??= ((await session.json()) as { me: { id: string } }).me.id;
  return { name, value, url, httpOnly: true, sameSite: 'Strict' as const };
}

const agents: Record<string, string> = { 'Release 4.2': 'release-bot', 'Customer care': 'support', Operations: 'ops' };
const places = ['Release 4.2', 'Operations', 'Release 4.2', 'Customer care', 'Operations', 'Release 4.2'];

async function ask(url: string): Promise<void> {
  const call = async (path: string, body: object): Promise<{ id: string }> => {
    const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };
    const reply = await fetch(`${url}/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${path}: ${await reply.text()}`);
    return (await reply.json()) as { id: string };
  };
  const threads = new Map<string, string>();
  for (const [title, agent] of Object.entries(agents))
    threads.set(title, (await call('/threads', { title, agent })).id);
  for (const [index, question] of story.waiting().entries())
    await call(`/threads/${threads.get(places[index] ?? '')}/interactions`, question);
}

/** Moves the questions back in time, so that the numbers are those of a busy day. */
async function letTimePass(page: Page): Promise<void> {
  const now = Date.now();
  const titles = story.waiting().map(({ title }) => title);
  await page.route(/\/v1\/interactions[?/][^/]+$/, async (route) => {
    const reply = await route.fetch();
    const found = (await reply.json()) as Asked & { data?: Asked[] };
    for (const each of found.data ?? [found]) {
      const index = titles.indexOf(each.title);
      if (index >= 0) each.createdAt = new Date(now - (oldestMinutes - index * 13) * minuteMs).toISOString();
    }
    await route.fulfill({ response: reply, json: found });
  });
  await page.route(/\/v1\/overview/, async (route) => {
    const reply = await route.fetch();
    const found = (await reply.json()) as { buckets: object[] };
    const end = Math.floor(now / bucketMs) * bucketMs;
    found.buckets = Array.from({ length: 24 }, (_, index) => bucket(index, end - (23 - index) * bucketMs));
    await route.fulfill({
      response: reply,
      json: { ...found, oldestPendingAt: new Date(now - oldestMinutes * minuteMs).toISOString() },
    });
  });
}

/** Most requests come during the day. */
function bucket(index: number, at: number): object {
  const busy = Math.max(0, Math.sin(((new Date(at).getUTCHours() - 5) / 16) * Math.PI));
  const created = Math.round(busy * 14) + ((index * 5) % 3);
  const [declined, expired] = [Math.round(created * 0.12), index % 6 === 4 ? 1 : 0];
  return {
    at: new Date(at).toISOString(),
    created,
    answered: Math.max(0, created - declined - expired),
    declined,
    expired,
    cancelled: 0,
    ...(created > 0 ? { medianWaitMs: Math.round((3 + ((index * 11) % 7) * (1.4 - busy)) * minuteMs) } : {}),
  };
}
