/** The manifest says what the elements have: it is written out of their doc blocks, and those are held against the sources. */
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { widgetManifest } from '../../../scripts/widget-manifest.ts';

const widget = fileURLToPath(new URL('../', import.meta.url));
const sources = globSync('src/**/*.{ts,tsx}', { cwd: widget, exclude: ['**/*.test.ts'] })
  .map((file) => readFileSync(widget + file, 'utf8'))
  .join('\n');

interface Named {
  name: string;
}
interface Declaration {
  name: string;
  tagName: string;
  description: string;
  attributes: Named[];
  members: Named[];
  events: Named[];
  slots: Named[];
  cssParts: Named[];
  cssProperties: (Named & { default: string })[];
}
const manifest = JSON.parse(widgetManifest()) as { modules: { declarations: Declaration[] }[] };
const elements = manifest.modules.flatMap(({ declarations }) => declarations);
const all = (key: 'attributes' | 'events' | 'slots' | 'cssParts' | 'cssProperties') => [
  ...new Set(elements.flatMap((element) => element[key].map(({ name }) => name))),
];
const found = (pattern: RegExp) => [...new Set([...sources.matchAll(pattern)].map(([, name = '']) => name))];

test('[WI38] the manifest is as the doc blocks have it', () => {
  // Where it is not: node scripts/widget-manifest.ts
  expect(readFileSync(`${widget}custom-elements.json`, 'utf8')).toBe(widgetManifest());
});

test('[WI38] every element that is defined is in it, with words to each thing', () => {
  expect(elements.map(({ tagName }) => tagName).sort()).toEqual(found(/'(holdpoint-\w+)': \w+Element,/g).sort());
  for (const { name, description, attributes, members, events } of elements) {
    expect(sources).toContain(`export class ${name} `);
    expect(description).toMatch(/\.$/);
    expect(attributes.map((one) => one.name)).toEqual(expect.arrayContaining(['server', 'token', 'locale', 'theme']));
    expect(members.map((one) => one.name)).toEqual(['getToken']);
    expect(events.map((one) => one.name)).toContain('holdpoint-closed');
  }
});

test('[WI38] no event, slot, part or custom property is in the sources and not in it, or the other way', () => {
  expect(all('events').sort()).toEqual(
    found(/\.emit\('(\w+)'/g)
      .map((name) => `holdpoint-${name}`)
      .sort(),
  );
  expect(all('slots').sort()).toEqual(found(/<slot name="(\w+)"/g).sort());
  expect(all('cssParts').sort()).toEqual(found(/\bpart=(?:"|\{`)(\w+)/g).sort());
  expect(all('cssProperties').sort()).toEqual(found(/var\((--hp-[\w-]+)/g).sort());
});
