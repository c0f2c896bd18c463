import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toolSets, tools } from '../src/index.ts';

const { inputSchema, outputSchema } = tools.create;
const written = [inputSchema, outputSchema].map((schema) => JSON.stringify(schema, null, 2));

/** The page that create_input_request comes from, where it is at hand. */
const seed = new URL('../../../../shared/seeds/001_70ab244e2de11c42.txt', import.meta.url);

test.skipIf(!existsSync(seed))('the schemas of create_input_request are those of its page, to the letter', () => {
  const page = readFileSync(seed, 'utf8');
  const [, input, output] = page.split(/^(?:In|Out)put schema\n(?=\{)/m);
  expect(written[0]).toBe(input?.slice(0, input.indexOf('\n}') + 2));
  expect(written[1]).toBe(output?.trim());
});

test('the schemas of create_input_request are never edited', () => {
  expect(written.map((text) => createHash('sha256').update(text).digest('hex'))).toEqual([
    'ffe62d2a8c14b646fd3058aae9dca2c2d06c542da8e891dd2b1a007a760298d6',
    'b521f613fc667a54375bd0062b6e58ac8dc86081319fe2bd41ca28f1c4b5dfd8',
  ]);
});

test('every tool has an object for input and output, and says what it does', () => {
  expect(Object.values(tools).map(({ name }) => name)).toEqual([
    'ask_human',
    'wait_for_human',
    'create_input_request',
    'list_input_requests',
    'get_input_request',
    'submit_input_request_response',
    'cancel_input_request',
  ]);
  for (const { inputSchema, outputSchema, description } of Object.values(tools)) {
    expect(description).not.toBe('');
    for (const schema of [inputSchema, outputSchema])
      expect(schema).toMatchObject({
        type: 'object',
        additionalProperties: false,
        $schema: 'http://json-schema.org/draft-07/schema#',
      });
  }
});

test('[MC5] every tool is in one set', () => {
  expect(Object.values(toolSets).flat().sort()).toEqual(Object.keys(tools).sort());
});
