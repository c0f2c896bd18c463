/**
 * Declarations without TypeBox. A schema's type costs the compiler seconds, and an editor shows all of it. Users
 * need the type that the schema describes, by its name.
 */
import { relative } from 'node:path';
import ts from 'typescript';
import { printedType, type TypeNames, typeNames } from './printed-type.ts';

/** The published type of a schema. */
const schemaType = 'JsonSchema';
const schemaModule = 'json';

export interface PlainTypes {
  /** Returns the declarations of a source file, with TypeBox's types written out. */
  of(path: string, declarations: string): string;
}

export function plainTypes(program: ts.Program, sourceRoot: string): PlainTypes {
  const checker = program.getTypeChecker();
  const isOurs = ({ fileName }: ts.SourceFile) => fileName.startsWith(`${sourceRoot}/`);
  const names = typeNames(checker, program.getSourceFiles().filter(isOurs));
  return {
    of(path, declarations) {
      const emitted = ts.createSourceFile('declarations.d.ts', declarations, ts.ScriptTarget.Latest, true);
      const foreign = importsOf(emitted, /^typebox(\/|$)/);
      if (!declarations.includes('typebox')) return declarations;
      const source = program.getSourceFile(path);
      if (!source) throw new Error(`${path} is not in the program`);
      const used = new Map<string, string>();
      const texts = emitted.statements.flatMap((statement) =>
        isImportOf(statement, /^typebox(\/|$)/) ? [] : [written(statement, { checker, names, source, foreign, used })],
      );
      return withImports(texts, used, relative(sourceRoot, path));
    },
  };
}

interface Writing {
  checker: ts.TypeChecker;
  names: TypeNames;
  source: ts.SourceFile;
  /** Names that the file imports from TypeBox. */
  foreign: ReadonlySet<string>;
  /** Written names, with their modules. */
  used: Map<string, string>;
}

function written(statement: ts.Statement, { checker, names, source, foreign, used }: Writing): string {
  const isForeign = (node: ts.Node): boolean =>
    (ts.isIdentifier(node) && foreign.has(node.text)) ||
    isImportType(node) ||
    (ts.forEachChild(node, isForeign) ?? false);
  if (ts.isTypeAliasDeclaration(statement) && isForeign(statement.type)) {
    const { text: name } = statement.name;
    const declared = source.statements.find((each) => ts.isTypeAliasDeclaration(each) && each.name.text === name);
    if (!declared || statement.typeParameters) throw new Error(`${name} cannot be written out`);
    const type = checker.getTypeAtLocation(declared);
    const text = printedType(type, { checker, names, self: name, used });
    return `${leading(statement)}export type ${name} = ${text};`;
  }
  if (!isForeign(statement)) return statement.getFullText().trim();
  const plain = ts.transform(statement, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node => {
        const isSchema = isImportType(node) || (ts.isTypeReferenceNode(node) && foreign.has(leftmost(node.typeName)));
        if (!isSchema) return ts.visitEachChild(node, visit, context);
        used.set(schemaType, schemaModule);
        return ts.factory.createTypeReferenceNode(schemaType);
      };
      return ts.visitNode(root, visit) as ts.Statement;
    },
  ]).transformed[0] as ts.Statement;
  return ts.createPrinter().printNode(ts.EmitHint.Unspecified, plain, statement.getSourceFile());
}

/** A type that the file does not import, as the compiler writes it: `import("typebox").TString`. */
const isImportType = (node: ts.Node): boolean => ts.isImportTypeNode(node) && /"typebox/.test(node.argument.getText());

const leftmost = (name: ts.EntityName): string => (ts.isIdentifier(name) ? name.text : leftmost(name.left));

const leading = (statement: ts.Statement): string =>
  statement.getFullText().slice(0, statement.getLeadingTriviaWidth()).trimStart();

/** Removes unused statements and adds missing imports. */
function withImports(texts: readonly string[], used: ReadonlyMap<string, string>, path: string): string {
  const isNeeded = (text: string): boolean => {
    const own = /^(?:declare const (\w+):|import (?:type )?\{([^}]*)\})/.exec(text);
    if (!own) return true;
    const others = texts.filter((each) => each !== text && !each.startsWith('import ')).join('\n');
    const declared = (own[1] ?? own[2] ?? '').split(',').map((name) => name.replace(/^.* as |type /g, '').trim());
    return declared.some((name) => new RegExp(`\\b${name}\\b`).test(others));
  };
  // Runs again, because a removed constant may have been the only user of another.
  const kept = texts.filter(isNeeded);
  if (kept.length < texts.length) return withImports(kept, used, path);
  const here = path.replace(/\.ts$/, '');
  const known = new Set(
    kept.flatMap((text) =>
      [...text.matchAll(/^import .*\{([^}]*)\}/g)].flatMap(([, list = '']) =>
        list.split(',').map((name) => name.replace('type ', '').trim()),
      ),
    ),
  );
  const wanted = [...used].filter(([name, module]) => module !== here && !known.has(name));
  const imports = wanted.map(([name, module]) => `import type { ${name} } from '${pathTo(here, module)}';`);
  return `${[...imports.sort(), ...kept].join('\n')}\n`;
}

function pathTo(from: string, to: string): string {
  const path = relative(`/${from}/..`, `/${to}`);
  return `${path.startsWith('.') ? path : `./${path}`}.js`;
}

const isImportOf = (statement: ts.Statement, packages: RegExp): statement is ts.ImportDeclaration =>
  ts.isImportDeclaration(statement) && packages.test((statement.moduleSpecifier as ts.StringLiteral).text);

function importsOf(file: ts.SourceFile, packages: RegExp): Set<string> {
  const found = new Set<string>();
  for (const statement of file.statements) {
    if (!isImportOf(statement, packages)) continue;
    const { name, namedBindings } = statement.importClause ?? {};
    if (name) found.add(name.text);
    if (!namedBindings) continue;
    if (ts.isNamespaceImport(namedBindings)) found.add(namedBindings.name.text);
    else for (const each of namedBindings.elements) found.add(each.name.text);
  }
  return found;
}
