/** What is built of the client for browsers and edge runtimes: how large it is, and what it needs. */
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bundle } from './bundle.ts';

/** All that browsers, Node, Deno, Bun and edge runtimes share, as far as it is used. */
const shared =
  'AbortController Blob Headers ReadableStream Response TextDecoder URL URLSearchParams atob clearTimeout crypto fetch performance setTimeout';

test('[CL11] it is at most 6.6 KB, minified and compressed, with everything it exports', async () => {
  expect(gzipSync(await bundle(), { level: 9 }).length).toBeLessThanOrEqual(6_600);
});

test('[CL11] it imports nothing, and names nothing that only Node or only a page has', async () => {
  const script = (await bundle()) + (await bundle('esm', 'verify'));
  expect(script).not.toMatch(/\bimport\b|node:/);
  expect(script).not.toMatch(/\b(process|Buffer|require|setImmediate|global|__dirname)\b/);
  expect(script).not.toMatch(/\b(window|document|XMLHttpRequest|EventSource|localStorage|navigator|location)\b/);
});

test('[CL11] it asks, follows, uploads and verifies where there is nothing but those globals', async () => {
  const calls: string[] = [];
  const question = { id: 'int_1', status: 'pending', votes: [] };
  const answer = { decision: 'accepted', values: { text: 'Yes.' } };
  const replies: Record<string, () => Response> = {
    'POST /v1/threads/t/interactions': () => Response.json(question),
    'GET /v1/interactions/int_1/wait': () => Response.json({ ...question, status: 'answered', answer }),
    'GET /v1/events': () =>
      new Response('retry: 1000\nid: 1\n\nid: 2\nevent: x\ndata: {"seq":1}\n\n', {
        headers: { 'content-type': 'text/event-stream' },
      }),
    'POST /v1/interactions/int_1/uploads': () => Response.json({ file_id: 'file_1' }),
  };
  const fetch = async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const call = `${method} ${new URL(url).pathname}`;
    calls.push(call);
    return replies[call]?.() ?? new Response('{}', { status: 404 });
  };
  const globals = Object.fromEntries(shared.split(' ').map((name) => [name, Reflect.get(globalThis, name)]));
  const context = createContext({ ...globals, fetch });
  runInContext((await bundle('iife')) + (await bundle('iife', 'verify')), context);
  const done = runInContext(
    `(async () => {
      const { Holdpoint, input } = holdpoint;
      const { verifyWebhook } = verify;
      const hp = new Holdpoint({ url: 'http://holdpoint.example', key: 'k' });
      const outcome = await hp.ask('t', input());
      let seq;
      for await (const event of hp.events()) { seq = event.seq; break; }
      const file = await hp.upload('int_1', 'notes', new Blob(['x']));
      const refused = await verifyWebhook({ body: '{}', headers: {}, secret: 'whsec_eA==' }).catch(({ name }) => name);
      return JSON.stringify([outcome.status, outcome.values, seq, file, refused]);
    })()`,
    context,
  ) as Promise<string>;
  expect(JSON.parse(await done)).toEqual(['answered', answer.values, 1, { file_id: 'file_1' }, 'WebhookNotVerified']);
  expect(calls.toSorted()).toEqual(Object.keys(replies).toSorted());
});
