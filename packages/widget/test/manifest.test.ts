/** The manifest is generated from the doc blocks of the elements, and compared with the sources. */
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

test('[WI38] the manifest is current', () => {
  // To update it: node scripts/widget-manifest.ts
  expect(readFileSync(`${widget}custom-elements.json`, 'utf8')).toBe(widgetManifest());
});

test('[WI38] every element is in the manifest, with descriptions', () => {
  expect(elements.map(({ tagName }) => tagName).sort()).toEqual(found(/'(holdpoint-\w+)': \w+Element,/g).sort());
  for (const { name, description, attributes, members, events } of elements) {
    expect(sources).toContain(`export class ${name} `);
    expect(description).toMatch(/\.$/);
    expect(attributes.map((one) => one.name)).toEqual(expect.arrayContaining(['server', 'token', 'locale', 'theme']));
    expect(members.map((one) => one.name)).toContain('getToken');
    expect(events.map((one) => one.name)).toContain('holdpoint-closed');
  }
});

test('[WI38] the sources and the manifest have the same events, slots, parts and custom properties', () => {
  expect(all('events').sort()).toEqual(
    found(/\.emit\('(\w+)'/g)
      .map((name) => `holdpoint-${name}`)
      .sort(),
  );
  expect(all('slots').sort()).toEqual(found(/<slot name="(\w+)"/g).sort());
  expect(all('cssParts').sort()).toEqual(found(/\bpart=(?:"|\{`)(\w+)/g).sort());
  expect(all('cssProperties').sort()).toEqual(found(/var\((--hp-[\w-]+)/g).sort());
});
