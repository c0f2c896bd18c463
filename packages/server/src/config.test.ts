import { expect, test } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

test('without flags it listens on 127.0.0.1:7400 and keeps its data in ./data', () => {
  expect(readConfig([], {})).toEqual({
    host: '127.0.0.1',
    port: 7400,
    dataFolder: './data',
    logLevel: 'warn',
    corsOrigins: [],
    responderRateLimit: 20,
    sessionRateLimit: 10,
    bodyLimitBytes: 1_048_576,
    allowPrivateWebhooks: false,
  });
});

test('flags say otherwise', () => {
  const args =
    '--port 80 --host ::1 --public-url https://a.example:8443/ --data /srv --log-level warn --cors-origin https://a.example --cors-origin http://b:1';
  const limits =
    '--rate-limit 5 --responder-rate-limit 0 --session-rate-limit 0 --max-body-kb 2 --allow-private-webhooks';
  expect(readConfig(`${args} ${limits}`.split(' '), { HOLDPOINT_API_KEY: 'a-long-key' })).toEqual({
    host: '::1',
    port: 80,
    publicUrl: 'https://a.example:8443',
    dataFolder: '/srv',
    adminKey: 'a-long-key',
    logLevel: 'warn',
    corsOrigins: ['https://a.example', 'http://b:1'],
    keyRateLimit: 5,
    bodyLimitBytes: 2048,
    allowPrivateWebhooks: true,
  });
});

test('an empty HOLDPOINT_API_KEY is none', () => {
  expect(readConfig([], { HOLDPOINT_API_KEY: '' })).not.toHaveProperty('adminKey');
});

const wholeNumber = /takes a whole number from \d+ to \d+, not/;
const anAddress = /^--public-url takes an address like https:\/\/holdpoint\.example\.com, not/;
const anOrigin = /^--cors-origin takes an origin like https:\/\/app\.example\.com, not/;

test.for<[string[], RegExp]>([
  [['--prot', '1'], /^Unknown option '--prot'$/],
  [['7400'], /^Unexpected argument '7400'$/],
  [['--port'], /^Option '--port <value>' argument missing$/],
  [['--port', '--host'], /^Option '--port' argument is ambiguous$/],
  [['--port', '65536'], wholeNumber],
  [['--port', 'http'], wholeNumber],
  [['--port', ''], wholeNumber],
  [['--port', '0x50'], wholeNumber],
  [['--port=-1'], wholeNumber],
  [['--rate-limit', '1.5'], wholeNumber],
  [['--responder-rate-limit', '1e3'], wholeNumber],
  [['--max-body-kb', '0'], wholeNumber],
  [['--log-level', 'loud'], /^--log-level is one of fatal, /],
  [['--public-url', 'a.example'], anAddress],
  [['--public-url', 'https://a.example/path'], anAddress],
  [['--public-url', 'https://a.example?q'], anAddress],
  [['--public-url', 'https://user:word@a.example'], anAddress],
  [['--public-url', 'ftp://a.example'], anAddress],
  [['--public-url', ''], anAddress],
  [['--cors-origin', '*'], anOrigin],
  [['--cors-origin', 'https://app.example.com/'], anOrigin],
  [['--cors-origin', 'app.example.com'], anOrigin],
  [['--cors-origin', 'ftp://app.example.com'], anOrigin],
  [['--host', ''], /^--host must not be empty$/],
  [['--data', ' '], /^--data must not be empty$/],
])('%j is refused in one line', ([args, line]) => {
  const reading = () => readConfig(args, {});
  expect(reading).toThrow(ConfigError);
  expect(reading).toThrow(line);
  expect(reading).not.toThrow(/\n/);
});

test.for(['two words', 'ümlauts!', 'x'.repeat(513), 'hpr_looks-like-a-token'])('the admin key %j is refused', (key) => {
  expect(() => readConfig([], { HOLDPOINT_API_KEY: key })).toThrow(/^HOLDPOINT_API_KEY must/);
});

test('[AS9] --assistant takes its model from the environment', () => {
  const env = {
    HOLDPOINT_MODEL_URL: 'http://127.0.0.1:1/v1/',
    HOLDPOINT_MODEL: 'small',
    HOLDPOINT_MODEL_KEY: 'secret',
  };
  expect(readConfig([], env)).not.toHaveProperty('assistant');
  const { assistant } = readConfig(['--assistant'], env);
  expect(assistant).toEqual({ url: 'http://127.0.0.1:1/v1', model: 'small', key: 'secret' });
  expect(readConfig(['--assistant'], { ...env, HOLDPOINT_MODEL_KEY: '' }).assistant).not.toHaveProperty('key');
});

test.each([
  [{}, '--assistant needs a model: set HOLDPOINT_MODEL_URL and HOLDPOINT_MODEL'],
  [{ HOLDPOINT_MODEL_URL: 'http://a' }, '--assistant needs a model: set HOLDPOINT_MODEL'],
  [{ HOLDPOINT_MODEL: 'small' }, '--assistant needs a model: set HOLDPOINT_MODEL_URL'],
  [
    { HOLDPOINT_MODEL: 'small', HOLDPOINT_MODEL_URL: 'http://me:secret@a' },
    'HOLDPOINT_MODEL_URL must be like https://models.example.com/v1',
  ],
])('[AS9] --assistant with %j says what is missing', (env, message) => {
  expect(() => readConfig(['--assistant'], { ...env, HOLDPOINT_MODEL_KEY: 'secret' })).toThrow(
    new ConfigError(message),
  );
});
