/** The package.json of a published package: its scripts, types and dependencies. */
import type { Published } from './published.ts';

export function manifestOf({ manifest, entries, bin, files = [] }: Published, imported: ReadonlySet<string>): object {
  const { name, version, description, engines, sideEffects, customElements, exports = {} } = manifest;
  const scripts = Object.entries(entries).map(([path, file]) => [
    path,
    { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
  ]);
  const asTheyAre = Object.entries(exports).filter(([, file]) => file.endsWith('.json'));
  return {
    ...{ name, version, description, type: 'module', license: 'MIT' },
    engines: engines ?? { node: '>=20' },
    sideEffects: sideEffects === false ? false : Array.isArray(sideEffects) ? ['./dist/index.js'] : undefined,
    exports: Object.fromEntries([...scripts, ...asTheyAre, ['./package.json', './package.json']]),
    bin: bin && Object.fromEntries(Object.entries(bin).map(([command, file]) => [command, `./dist/${file}.js`])),
    customElements,
    files: ['dist', ...files],
    ...dependenciesOf(manifest, imported),
  };
}

/** Lists only imported packages. An import that is not declared would work only in this repository. */
function dependenciesOf(
  { name, dependencies = {}, ...manifest }: Published['manifest'],
  imported: ReadonlySet<string>,
) {
  const { peerDependencies: peers = {}, peerDependenciesMeta } = manifest;
  const names = new Set([...imported].filter((each) => !each.startsWith('node:')).map(packageOf));
  const missing = [...names].filter((each) => !(each in dependencies) && !(each in peers));
  if (missing.length > 0) throw new Error(`${name} imports ${missing.join(', ')} and does not depend on it`);
  const needed = Object.entries(dependencies).filter(([each]) => names.has(each));
  return {
    ...(needed.length === 0 ? {} : { dependencies: Object.fromEntries(needed) }),
    ...(Object.keys(peers).length === 0 ? {} : { peerDependencies: peers, peerDependenciesMeta }),
  };
}

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
