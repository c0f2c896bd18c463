/** A real server, a real browser, and pages with a strict policy. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CreateInteraction, Interaction, Thread } from '@holdpoint/protocol';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { findBrowser } from './find-browser.ts';

const cli = fileURLToPath(new URL('../../server/build/cli.js', import.meta.url));
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const adminKey = 'key-of-the-tests';
/** The sign-in comes from this file, and counts as one of the browser. */
const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const elements = '<script type="module" src="/widget/widget.js"></script>';

/** The browser logs that it ignores our one header that needs https in a page over plain http. */
const harmless = /Failed to load resource|net::ERR_|Cross-Origin-Opener-Policy header has been ignored/;

/** Allows nothing inline, nothing from another origin, and no HTML from text. */
export const strictPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; img-src https:; trusted-types 'none'; require-trusted-types-for 'script'";

export interface PageOptions extends BrowserContextOptions {
  lang?: string;
  scripts?: string;
  /** false: the page opens without a session. Default: pages of the console open with one. */
  signedIn?: boolean;
  /** The id of the person who is signed in. Default: the first admin, named Console. */
  as?: string;
  /** Another tab of the same person. */
  sameBrowserAs?: Page;
  /** Another address of the server for this page. */
  through?: string;
  /** Runs before the page opens, for example to add routes. */
  prepare?(page: Page): Promise<unknown>;
}

export type VisitOptions = Pick<PageOptions, 'sameBrowserAs' | 'through' | 'prepare' | 'signedIn' | 'as'> &
  BrowserContextOptions;

export interface Stage {
  url: string;
  call<T>(path: string, body?: object, method?: string): Promise<T>;
  newThread(): Promise<string>;
  ask(threadId: string, question: CreateInteraction): Promise<Interaction>;
  tokenFor(place: { threadId: string } | { interactionId: string }, responderId?: string): Promise<string>;
  /** Returns the id of the first admin, who is named Console. */
  admin(): Promise<string>;
  /** Creates a sign-in link, and returns the part of its address from # on. */
  linkFor(personId?: string): Promise<string>;
  /** Opens a page with this body. An error that it logs, or a breach of its policy, fails the test. */
  open(body: string, options?: PageOptions): Promise<Page>;
  /** Opens a page of the server, with its own policy. Errors fail the test too. */
  visit(path: string, options?: VisitOptions): Promise<Page>;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Creates one stage for all tests of a file. */
export function stageOfThisFile({
  flags = [],
  browserFlags = [],
}: {
  flags?: readonly string[];
  browserFlags?: readonly string[];
} = {}): Stage {
  const stage = {} as Stage;
  let browser: Browser | undefined;
  let server: ChildProcess | undefined;
  const data = mkdtempSync(join(tmpdir(), 'holdpoint-widget-'));
  let port = '0';

  async function start(): Promise<void> {
    const child = spawn(
      process.execPath,
      [cli, 'serve', '--port', port, '--data', data, '--responder-rate-limit', '0', ...flags],
      {
        env: { ...process.env, HOLDPOINT_API_KEY: adminKey },
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    server = child;
    stage.url = await new Promise<string>((resolve, reject) => {
      let printed = '';
      child.stdout.on('data', (text) => {
        printed += text;
        const ready = /^holdpoint ready (\S+)$/m.exec(printed)?.[1];
        if (ready) resolve(ready);
      });
      child.once('close', (code) => reject(new Error(`the server ended with ${code}: ${printed}`)));
    });
    port = new URL(stage.url).port;
  }

  async function newContext(options: BrowserContextOptions): Promise<BrowserContext> {
    const context = await (browser as Browser).newContext({
      ...{ reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC' },
      ...options,
    });
    onTestFinished(() => context.close());
    await context.addInitScript(() =>
      addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        reportError(new Error(`forbidden by the policy: ${violatedDirective} ${blockedURI}`)),
      ),
    );
    return context;
  }

  const newLink = async (personId?: string): Promise<string> =>
    (await stage.call<{ url: string }>('/v1/sign-in-links', personId === undefined ? {} : { personId })).url;

  /** Uses a link as the page does, and returns the cookie of the session. */
  async function redeem(link: string, through: string): Promise<{ name: string; value: string }> {
    const body = JSON.stringify({ link: link.slice(link.lastIndexOf('/') + 1), name: 'Console' });
    const headers = { 'content-type': 'application/json', 'x-holdpoint-console': '1', 'user-agent': agent };
    const reply = await fetch(`${through}/console/session`, { method: 'POST', headers, body });
    expect(reply.ok, await reply.text()).toBe(true);
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(reply.headers.get('set-cookie') ?? '') ?? [];
    return { name, value };
  }

  /** The first link makes its user the first admin. Later ones need the name of the person. */
  let firstAdmin: Promise<string> | undefined;
  const admin = (): Promise<string> => {
    firstAdmin ??= newLink()
      .then((link) => redeem(link, stage.url))
      .then(async ({ name, value }) => {
        const headers = { cookie: `${name}=${value}` };
        const session = await (await fetch(`${stage.url}/console/session`, { headers })).json();
        return (session as { me: { id: string } }).me.id;
      });
    return firstAdmin;
  };

  async function signIn(context: BrowserContext, through: string, personId?: string): Promise<void> {
    const cookie = await redeem(await newLink(personId ?? (await admin())), through);
    await context.addCookies([{ ...cookie, url: through, httpOnly: true, sameSite: 'Strict' }]);
  }

  /** An error that the page logs fails the test. */
  async function newPage(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' && !harmless.test(message.text())) faults.push(message.text());
    });
    onTestFinished(() => expect(faults).toEqual([]));
    return page;
  }

  const stopServer = async () => {
    if (!server) return;
    const ended = once(server, 'close');
    server.kill('SIGTERM');
    await ended;
  };

  Object.assign(stage, {
    async call(path, body, method = body ? 'POST' : 'GET') {
      const reply = await fetch(stage.url + path, {
        method,
        headers: { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const read = await reply.json();
      expect(reply.ok, JSON.stringify(read)).toBe(true);
      return read;
    },
    newThread: async () => (await stage.call<Thread>('/v1/threads', {})).id,
    ask: (threadId, question) => stage.call(`/v1/threads/${threadId}/interactions`, question),
    admin,
    linkFor: async (personId) => new URL(await newLink(personId)).hash,
    tokenFor: async (place, responderId = 'ann') =>
      (await stage.call<{ token: string }>('/v1/responder-tokens', { responderId, ...place })).token,
    async open(
      body,
      { lang = 'en', scripts = elements, sameBrowserAs, prepare, through = stage.url, signedIn, as, ...options } = {},
    ) {
      const context = sameBrowserAs?.context() ?? (await newContext(options));
      if (signedIn && !sameBrowserAs) await signIn(context, through, as);
      const page = await newPage(context);
      const html = `<!doctype html><html lang="${lang}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A page</title>${scripts}<body><main>${body}</main></body></html>`;
      const headers = { 'content-security-policy': strictPolicy, 'content-type': 'text/html; charset=utf-8' };
      await page.route('**/page-of-a-test', (route) => route.fulfill({ headers, body: html }));
      await prepare?.(page);
      await page.goto(`${through}/page-of-a-test`);
      return page;
    },
    async visit(
      path,
      { sameBrowserAs, prepare, through = stage.url, signedIn = path.startsWith('/#'), as, ...options } = {},
    ) {
      const context = sameBrowserAs?.context() ?? (await newContext(options));
      if (signedIn && !sameBrowserAs) await signIn(context, through, as);
      const page = await newPage(context);
      await prepare?.(page);
      await page.goto(through + path);
      return page;
    },
    restart: async () => {
      await stopServer();
      await start();
    },
    stop: stopServer,
  } satisfies Partial<Stage>);

  beforeAll(async () => {
    [browser] = await Promise.all([
      chromium.launch({ executablePath: findBrowser(), args: ['--no-sandbox', ...browserFlags] }),
      start(),
    ]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), stopServer()]);
    rmSync(data, { recursive: true, force: true });
  });
  return stage;
}

/** Expects that axe finds no fault in the page and its shadow roots. */
export async function expectAccessible(page: Page): Promise<void> {
  // Uses the protocol of the browser, because the policy of the page blocks foreign scripts.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: axeSource });
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], rules: { 'landmark-one-main': { enabled: false }, 'page-has-heading-one': { enabled: false } } }).then(({ violations }) => JSON.stringify(violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html.slice(0, 160) + ' — ' + failureSummary).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  expect(exceptionDetails).toBeUndefined();
  expect(JSON.parse(result.value as string)).toEqual([]);
}
