/** Serves the built page, mints the token of the signed-in user, and is the agent that asks. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, extname, join } from 'node:path';
import { Holdpoint } from '@holdpoint/client';

const { HOLDPOINT_URL: server = '', HOLDPOINT_API_KEY: key = '', PORT = '8080', DIST = 'dist' } = process.env;
const hp = new Holdpoint({ url: server, key });
const { id: thread } = await hp.createThread({ title: 'Release 4.2' });
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

const http = createServer(async (request, response) => {
  if (request.url === '/session') {
    const { token } = await hp.mintResponderToken({ responderId: 'sam', threadId: thread, ttlSeconds: 3_600 });
    return response.end(JSON.stringify({ server, thread, token }));
  }
  const file = basename(request.url ?? '') || 'index.html';
  const content = await readFile(join(DIST, file)).catch(() => undefined);
  response.writeHead(content ? 200 : 404, { 'content-type': `${types[extname(file)] ?? 'text/plain'}; charset=utf-8` });
  response.end(content);
});
http.listen(Number(PORT), () => console.log(`open http://127.0.0.1:${(http.address() as AddressInfo).port}`));

await hp.postMessage({ threadId: thread, text: 'All 412 tests of 4.2 are green, and the notes are written.' });
const { approved, arguments: rollout } = await hp.approve(thread, {
  title: 'Roll out 4.2?',
  body: 'It begins with a tenth of the traffic. You can stop it at any time.',
  arguments: { version: '4.2.0', percent: 10 },
});
const said = approved ? `Rolling out ${rollout.version} to ${rollout.percent} %.` : 'Then not.';
await hp.postMessage({ threadId: thread, text: said });
console.log(said);
