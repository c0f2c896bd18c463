/** Writes the types of a published package: the declarations that its entries need, and no others. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { plainTypes } from './plain-types.ts';
import type { Published } from './published.ts';

/** `npm run check` has checked the types. */
const emitting: ts.CompilerOptions = {
  ...{ noEmit: false, declaration: true, emitDeclarationOnly: true, noCheck: true },
  rewriteRelativeImportExtensions: true,
};

/** Shared, because packages read mostly the same files. */
const sources = new Map<string, ts.SourceFile | undefined>();

/** Returns the names of the packages that the declarations import. */
export function writeDeclarations({ folder, entries }: Published, dist: string): Set<string> {
  const source = resolve(`packages/${folder}/src`);
  const found = new Set(Object.values(entries).map((name) => join(source, `${name}.ts`)));
  // One program for each package: in a shared program, a type could take its name from a package that depends on this one.
  const program = programOf(folder, [...found]);
  const plain = plainTypes(program, source);
  const imported = new Set<string>();
  for (const path of found) {
    const text = plain.of(path, declarationOf(program, path));
    for (const { fileName } of ts.preProcessFile(text).importedFiles)
      if (fileName.startsWith('.')) found.add(sourceAt(resolve(dirname(path), fileName)));
      else imported.add(fileName);
    const target = join(dist, relative(source, path).replace(/\.tsx?$/, '.d.ts'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
  return imported;
}

function programOf(folder: string, files: string[]): ts.Program {
  const ofItsOwn = `packages/${folder}/tsconfig.json`;
  const path = resolve(folder !== 'protocol' && existsSync(ofItsOwn) ? ofItsOwn : 'tsconfig.json');
  const { config } = ts.readConfigFile(path, ts.sys.readFile);
  const asked = { ...config, files, include: [], compilerOptions: { ...config.compilerOptions, ...emitting } };
  const { options } = ts.parseJsonConfigFileContent(asked, ts.sys, dirname(path));
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...how) => {
    if (!sources.has(name)) sources.set(name, read(name, ...how));
    return sources.get(name);
  };
  return ts.createProgram(files, options, host);
}

function declarationOf(program: ts.Program, path: string): string {
  let text: string | undefined;
  const take = (_path: string, written: string) => {
    text = written;
  };
  program.emit(program.getSourceFile(path), take, undefined, true);
  if (text === undefined) throw new Error(`there are no types for ${relative('.', path)}`);
  return withScripts(text);
}

/** Sources import `.ts`; published files import `.js`. */
const withScripts = (text: string): string =>
  text.replaceAll(/((?:from|import|import\()\s*['"])(\.[^'"]+)\.tsx?(?=['"])/g, '$1$2.js');

const sourceAt = (script: string): string => {
  const path = script.replace(/\.js$/, '.ts');
  return existsSync(path) ? path : `${path}x`;
};
