/** The texts that list the types of fields and are not made from their table. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as fieldBuilders from '../src/field-builders.ts';
import { type FieldType, fieldSchemas } from '../src/fields/field.ts';

const types = Object.keys(fieldSchemas) as FieldType[];
const builderOf = (type: string) => type.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The text about each type. */
const texts: Record<string, (type: FieldType) => RegExp> = {
  'docs/protocol.md': (type) => new RegExp(`^- \\*\\*F1\\*\\*[^*]*\`${type}\``, 'm'),
  'docs/guides/client.md': (type) => new RegExp(`^\\| [^|]*\`${builderOf(type)}[\`(].* \\|`, 'm'),
  // The tool takes custom fields, but does not suggest them to models.
  'packages/mcp/src/schemas/ask-human.input.json': (type) =>
    type === 'custom' ? /./ : new RegExp(`"description": "(?=text, )[^"]*\\b${type}\\b`),
  'packages/console/src/playground/examples.ts': (type) => new RegExp(`type: '${type}'`),
};

test.each(Object.entries(texts))('[F1] %s names every type of field', (path, says) => {
  const text = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
  expect(
    types.filter((type) => !says(type).test(text)),
    `types that ${path} lacks`,
  ).toEqual([]);
});

test('[F21] every type of field has a builder, and the README counts the types', () => {
  expect(Object.keys(fieldBuilders).toSorted(), 'a line in field-builders.ts').toEqual(types.map(builderOf).toSorted());
  const readme = readFileSync(new URL('../../../README.md', import.meta.url), 'utf8');
  expect(readme).toContain(`made of ${types.length} field types`);
});
