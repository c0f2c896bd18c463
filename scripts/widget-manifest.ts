/** Writes the manifest of the widget's elements from their doc blocks, for editors and other tools. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const widget = fileURLToPath(new URL('../packages/widget/', import.meta.url));

/** `@tag {type} name - description`. The type is optional; `[name=default]` gives a default. */
interface Tag {
  tag: string;
  type: string | undefined;
  name: string;
  default: string | undefined;
  description: string;
}

const tagLine = /^@(\w+)(?: \{(.+)\})? (?:\[([^=\]]+)=([^\]]+)\]|(\S+)) - (.+)$/;

/** The doc block at the top of a file: a sentence and tags. */
function readDocBlock(text: string): { description: string; element: string | undefined; tags: Tag[] } {
  const [, block = ''] = /^\/\*\*(.*?)\*\//s.exec(text) ?? [];
  const lines = block.split('\n').map((line) => line.replace(/^\s*\* ?/, '').trim());
  const tags = lines.flatMap((line): Tag[] => {
    const [, tag = '', type, bracketed, value, plain, description = ''] = tagLine.exec(line) ?? [];
    return tag ? [{ tag, type, name: bracketed ?? plain ?? '', default: value, description }] : [];
  });
  const element = lines.flatMap((line) => /^@element (\S+)$/.exec(line)?.[1] ?? [])[0];
  const description = lines.filter((line) => line !== '' && !line.startsWith('@')).join(' ');
  return { description, element, tags };
}

/** The properties of every element, with their defaults. */
function sharedProperties(): Tag[] {
  const text = readFileSync(`${widget}src/style/tokens.ts`, 'utf8');
  const described = new Map(readDocBlock(text).tags.map((tag) => [tag.name, tag.description]));
  const properties = [...text.matchAll(/: var\((--hp-[\w-]+), (.+)\);$/gm)];
  return properties.map(([, name = '', value]) => {
    const description = described.get(name);
    if (description === undefined) throw new Error(`src/style/tokens.ts does not describe ${name}`);
    return { tag: 'cssprop', type: undefined, name, default: value, description };
  });
}

function describeElement(file: string): object[] {
  const text = readFileSync(widget + file, 'utf8');
  const { description, element, tags } = readDocBlock(text);
  if (element === undefined) return [];
  const className = /^export class (\w+)/m.exec(text)?.[1] ?? '';
  const base = readDocBlock(readFileSync(`${widget}src/elements/connected-element.tsx`, 'utf8')).tags;
  // A tag of the element itself replaces the one of the base class.
  const all = new Map([...tags, ...base, ...tags].map((tag) => [`${tag.tag} ${tag.name}`, tag]));
  const those = (tag: string) => [...all.values()].filter((one) => one.tag === tag);
  const typed = ({ type, name, description }: Tag) => ({
    name,
    ...(type ? { type: { text: type } } : {}),
    description,
  });
  const plain = ({ name, description }: Tag) => ({ name, description });
  const declaration = {
    kind: 'class',
    name: className,
    tagName: element,
    customElement: true,
    description,
    attributes: those('attr').map(typed),
    members: those('prop').map((tag) => ({ kind: 'field', ...typed(tag) })),
    events: those('fires').map((tag) => ({ ...plain(tag), type: { text: 'CustomEvent' } })),
    slots: those('slot').map(plain),
    cssParts: those('csspart').map(plain),
    cssProperties: [...sharedProperties(), ...those('cssprop')].map((tag) => ({ ...plain(tag), default: tag.default })),
  };
  const at = { name: className, module: file };
  const exports = [
    { kind: 'js', name: className, declaration: at },
    { kind: 'custom-element-definition', name: element, declaration: at },
  ];
  return [{ kind: 'javascript-module', path: file, declarations: [declaration], exports }];
}

export function widgetManifest(): string {
  const files = globSync('src/elements/*-element.tsx', { cwd: widget }).sort();
  return `${JSON.stringify({ schemaVersion: '1.0.0', modules: files.flatMap(describeElement) }, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(`${widget}custom-elements.json`, widgetManifest());
