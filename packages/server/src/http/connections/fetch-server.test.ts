import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { fetchServer } from './fetch-server.ts';

test('[IP7] what is about one connection is not passed on, and no compressed response is asked for', async () => {
  const server = createServer(({ method, url, headers }, response) => {
    response.setHeader('set-cookie', ['a=1', 'b=2']).end(JSON.stringify({ method, url, headers }));
  });
  const { fetch, close } = fetchServer({ server });
  const headers = { 'accept-encoding': 'gzip', upgrade: 'websocket', te: 'trailers', 'x-own': 'kept', cookie: 'c=3' };
  const response = await fetch(new Request('http://app.example.com/path?a=1', { headers }));
  expect(await response.json()).toEqual({
    ...{ method: 'GET', url: '/path?a=1' },
    headers: { host: 'app.example.com', 'x-own': 'kept', cookie: 'c=3', connection: 'close' },
  });
  expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  for (const name of ['connection', 'transfer-encoding']) expect(response.headers.has(name)).toBe(false);
  await close(1_000);
});
