import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { addressRules, isPublicAddress, privateAddressCode } from './addresses.ts';
import type { Address } from './fair-lookups.ts';

const refused = [
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.0.1'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.1.1'],
  ...['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.1.1.1', '240.0.0.1'],
  ...['255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:0:7f00:1::', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1'],
  ...['fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', 'not an address', ''],
];

test.each(refused)('[WH10] %s is not on the internet', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.1', '100.63.255.255', '100.128.0.1', '126.255.255.255'],
  ...[
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '192.169.0.1',
    '198.17.255.255',
    '198.20.0.1',
    '223.255.255.255',
  ],
  ...['2606:4700:4700::1111', '2a00:1450:4001:80b::200e', '2001:4860:4860::8888', '2003::1'],
])('[WH10] %s is on the internet', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

const answering = (answers: Record<string, string[]>) => (host: string) => {
  const found = answers[host];
  if (!found) return Promise.reject(Object.assign(new Error(), { code: 'ENOTFOUND' }));
  return Promise.resolve(found.map((address): Address => ({ address, family: address.includes(':') ? 6 : 4 })));
};

const hosts = {
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'public.example': ['93.184.216.34', '2606:2800:220:1::1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
};

const rules = addressRules({ allowPrivate: false, resolve: answering(hosts) });

test.each([
  ...['http://localhost/', 'http://LOCALHOST:8080/', 'http://localhost./', 'http://127.0.0.1/', 'http://127.1/'],
  ...['http://0x7f.1/', 'http://2130706433/', 'http://0177.0.0.1/', 'http://127.0.0.1./', 'http://0/', 'http://[::1]/'],
  ...['http://[::ffff:127.0.0.1]/', 'http://[::ffff:7f00:1]/', 'http://[0:0:0:0:0:0:0:1]/', 'http://①②⑦.0.0.1/'],
  ...['https://metadata.example/', 'https://mixed.example/', 'https://169.254.169.254/latest', 'http://[fe80::1]/'],
])('[WH10] %s is refused, because it leads to an address that is not on the internet', async (url) => {
  expect(await rules.check(url, 'default')).toMatchObject({
    pointer: '/url',
    message: expect.stringMatching(/private/),
  });
});

test.each([
  ['ftp://public.example/', /http:\/\/ or https:\/\//],
  ['file:///etc/passwd', /http:\/\/ or https:\/\//],
  ['public.example/hook', /http:\/\/ or https:\/\//],
  ['http://', /http:\/\/ or https:\/\//],
  ['https://user:secret@public.example/', /password/],
  ['https://user@public.example/', /password/],
  ['https://nowhere.example/', /does not resolve/],
])('[WH10] %s is refused with a reason', async (url, reason) => {
  const problem = await rules.check(url, 'default');
  expect(problem?.message).toMatch(reason);
  expect(problem?.message).not.toContain('secret');
});

test('[WH10] a public host is let through, on any port', async () => {
  for (const url of ['https://public.example/', 'http://public.example:8080/hook?a=b', 'https://8.8.8.8/'])
    expect(await rules.check(url, 'default')).toBeUndefined();
});

test('[WH10] private addresses are accepted if they are allowed', async () => {
  const open = addressRules({ allowPrivate: true, resolve: answering(hosts) });
  for (const url of ['http://localhost:1/', 'http://127.0.0.1/', 'http://[::1]/', 'https://mixed.example/'])
    expect(await open.check(url, 'default')).toBeUndefined();
  expect(await open.check('https://user:pw@public.example/', 'default')).toBeDefined();
  expect(open.isRefusedLiteral('http://127.0.0.1/')).toBe(false);
});

const lookUp = (host: string, options: { all?: boolean; family?: number }, of = rules) =>
  new Promise<unknown>((resolve) =>
    of.lookupFor('default')(host, options, (error, address: string | LookupAddress[], family) =>
      resolve(error ? error.code : typeof address === 'string' ? { address, family } : address),
    ),
  );

test('[WH10] a connection is refused as soon as one address of its name is refused', async () => {
  expect(await lookUp('mixed.example', { all: true })).toBe(privateAddressCode);
  expect(await lookUp('localhost', {})).toBe(privateAddressCode);
  expect(await lookUp('nowhere.example', { all: true })).toBe('ENOTFOUND');
  expect(await lookUp('public.example', { all: true })).toHaveLength(2);
  expect(await lookUp('public.example', { family: 6 })).toEqual({ address: '2606:2800:220:1::1', family: 6 });
});

test('[WH10] a name that was public when it was registered and leads home later is refused then', async () => {
  const answers = [['93.184.216.34'], ['127.0.0.1']];
  const rebinding = addressRules({
    allowPrivate: false,
    resolve: (host) => answering({ [host]: answers.shift() ?? [] })(host),
  });
  expect(await rebinding.check('https://rebinding.example/', 'default')).toBeUndefined();
  expect(await lookUp('rebinding.example', { all: true }, rebinding)).toBe(privateAddressCode);
});
