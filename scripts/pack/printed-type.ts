/** Prints a type as text. Parts that have a name are printed by name. */
import ts from 'typescript';

/** Name and module of each exported type, by its printed text. Two types with the same text have no name. */
export type TypeNames = ReadonlyMap<string, { name: string; module: string } | undefined>;

interface Printing {
  checker: ts.TypeChecker;
  names: TypeNames;
  /** The type that is being declared. It is never printed by its own name. */
  self?: string;
  used?: Map<string, string>;
}

const none: TypeNames = new Map();

export function typeNames(checker: ts.TypeChecker, files: readonly ts.SourceFile[]): TypeNames {
  const names = new Map<string, { name: string; module: string } | undefined>();
  const root = commonFolder(files.map(({ fileName }) => fileName));
  for (const file of files) {
    for (const statement of file.statements) {
      if (!ts.isTypeAliasDeclaration(statement) || statement.typeParameters || !isExported(statement)) continue;
      if (!/\bStatic</.test(statement.type.getText())) continue;
      const text = printedType(checker.getTypeAtLocation(statement), { checker, names: none });
      const module = file.fileName.slice(root.length).replace(/\.ts$/, '');
      names.set(text, names.has(text) ? undefined : { name: statement.name.text, module });
    }
  }
  return names;
}

export function printedType(type: ts.Type, printing: Printing): string {
  const { names, self, used } = printing;
  // Small types are equal by chance.
  const named =
    names.size === 0 || isSmall(type) ? undefined : names.get(printedType(type, { ...printing, names: none }));
  if (!named || named.name === self) return writtenOut(type, printing);
  used?.set(named.name, named.module);
  return named.name;
}

const isSmall = (type: ts.Type): boolean =>
  !type.isUnion() && (!(type.flags & ts.TypeFlags.Object) || type.getProperties().length < 2);

function writtenOut(type: ts.Type, printing: Printing): string {
  const { checker } = printing;
  // Parts may use the name of the declared type.
  const inner: Printing = { ...printing, self: '' };
  const print = (part: ts.Type) => printedType(part, inner);
  if (type.isUnion()) return writtenUnion(type.types, print);
  if (type.isLiteral()) return JSON.stringify(type.value);
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference) as [ts.Type];
    const text = print(item);
    return item.isUnion() && !/^\w+$/.test(text) ? `(${text})[]` : `${text}[]`;
  }
  if (!(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection))) return checker.typeToString(type);
  const indexes = checker.getIndexInfosOfType(type);
  const properties = checker.getPropertiesOfType(type);
  const [index] = indexes;
  if (index && properties.length === 0) return `Record<${print(index.keyType)}, ${print(index.type)}>`;
  // Required properties first: TypeBox lists them last.
  const [optional, required] = [true, false].map((wanted) => properties.filter((each) => isOptional(each) === wanted));
  const members = [
    ...indexes.map(({ keyType, type: value }) => `[key: ${print(keyType)}]: ${print(value)};`),
    ...[...(required ?? []), ...(optional ?? [])].map((property) => writtenProperty(property, checker, print)),
  ];
  return members.length === 0 ? '{}' : `{\n${members.join('\n').replaceAll(/^/gm, '  ')}\n}`;
}

/** The compiler represents `boolean` as a union of its two values. */
function writtenUnion(types: readonly ts.Type[], print: (part: ts.Type) => string): string {
  const parts = new Set(types.map(print));
  if (parts.has('true') && parts.has('false')) {
    parts.delete('true');
    parts.delete('false');
    parts.add('boolean');
  }
  return [...parts].join(' | ');
}

function writtenProperty(property: ts.Symbol, checker: ts.TypeChecker, print: (part: ts.Type) => string): string {
  const type = checker.getTypeOfSymbol(property);
  const name = /^[\w$]+$/.test(property.name) ? property.name : JSON.stringify(property.name);
  return isOptional(property) ? `${name}?: ${writtenOptional(type, checker, print)};` : `${name}: ${print(type)};`;
}

const isOptional = ({ flags }: ts.Symbol): boolean => (flags & ts.SymbolFlags.Optional) !== 0;

/** The question mark says that the property is optional; the compiler adds `undefined` to the type as well. */
function writtenOptional(type: ts.Type, checker: ts.TypeChecker, print: (part: ts.Type) => string): string {
  if (!type.isUnion()) return print(type);
  const parts = type.types.filter((part) => !(part.flags & ts.TypeFlags.Undefined));
  const mayBeNull = parts.some((part) => part.flags & ts.TypeFlags.Null);
  return mayBeNull ? writtenUnion(parts, print) : print(checker.getNonNullableType(type));
}

const isExported = (statement: ts.TypeAliasDeclaration): boolean =>
  statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;

function commonFolder(paths: readonly string[]): string {
  const folders = paths.map((path) => path.slice(0, path.lastIndexOf('/') + 1));
  return folders.reduce((common, folder) => (folder.length < common.length ? folder : common));
}
