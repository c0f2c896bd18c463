/** docs/dialects/seed-pages.md: each sentence of the five pages names its tests, and the tests are there. */
import { existsSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { cases } from '../../packages/conformance/src/index.ts';

const page = new URL('../../docs/dialects/seed-pages.md', import.meta.url);
const document = readFileSync(page, 'utf8');
const dialects = ['chat-requests', 'input-requests', 'agent-service', 'assistant', 'blocks'];

interface Row {
  number: string;
  says: string;
  proof: string;
}

/** A proof: the label of a file, the name of a test in it, and for a table its entry. */
interface Proof {
  label: string;
  name: string;
  entry?: string;
}

const files = new Map(
  [...document.matchAll(/^\[([^\]]+)\]: (\S+)$/gm)].map(([, label = '', path = '']) => [label, path]),
);
const sections = document
  .split(/^## /m)
  .slice(1)
  .map((text) => ({ dialect: text.split('\n', 1)[0] ?? '', rows: rowsIn(text) }));

function rowsIn(text: string): Row[] {
  return text
    .split('\n')
    .filter((line) => /^\| [^|]*\d/.test(line))
    .map((line) => {
      const [, number = '', says = '', proof = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      return { number, says, proof };
    });
}

const written = /^\[([^\]]+)\] `([^`]+)`(?:, entry `([^`]+)`)?$/;

/** Undefined if the text is no proof. */
function proofOf(text: string): Proof | undefined {
  const [, label, name, entry] = written.exec(text.replaceAll('\\|', '|')) ?? [];
  if (label === undefined || name === undefined) return undefined;
  return { label, name, ...(entry === undefined ? {} : { entry }) };
}

/** Rows whose sentence has no test yet. */
const unproved: string[] = [];
const isUnproved = (proof: string) => proof === 'no test yet';

const isNoBehaviour = (proof: string) => /^no behaviour: \S/.test(proof);

/** The tests of a file, by group and name, and the texts that its tables list. */
interface TestFile {
  names: string[];
  texts: Set<string>;
}

const read = new Map<string, TestFile>();

function testFile(path: string): TestFile {
  const known = read.get(path);
  if (known) return known;
  const source = ts.createSourceFile(path, readFileSync(new URL(path, page), 'utf8'), ts.ScriptTarget.Latest);
  const found: TestFile = { names: [], texts: new Set() };
  visit(source, []);
  read.set(path, found);
  return found;

  function visit(node: ts.Node, groups: string[]): void {
    if (ts.isStringLiteralLike(node)) found.texts.add(node.text);
    if (ts.isPropertyAssignment(node) && ts.isIdentifier(node.name)) found.texts.add(node.name.text);
    const callee = ts.isCallExpression(node) ? calleeOf(node.expression) : '';
    if (callee.startsWith('describe.skip')) return;
    const title = ts.isCallExpression(node) ? titleOf(node.arguments[0], source) : undefined;
    const isTest = /^(test|it)(\.(each|for))?$/.test(callee);
    if (title !== undefined && isTest) found.names.push([...groups, title].join(' › '));
    const inside = title !== undefined && /^describe(\.each)?$/.test(callee) ? [...groups, title] : groups;
    ts.forEachChild(node, (child) => visit(child, inside));
  }
}

/** `test`, `test.each` and `describe.each`, but not skipped or planned tests. */
function calleeOf(node: ts.Expression): string {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return `${calleeOf(node.expression)}.${node.name.text}`;
  return ts.isCallExpression(node) ? calleeOf(node.expression) : '';
}

/** The name as written; a template keeps its placeholders. */
function titleOf(node: ts.Node | undefined, source: ts.SourceFile): string | undefined {
  if (!node) return undefined;
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node) ? node.getText(source).slice(1, -1) : undefined;
}

/** Returns the problem of a proof, if it has one. */
function faultOf({ label, name, entry }: Proof): string | undefined {
  const path = files.get(label);
  if (path === undefined) return `[${label}] leads nowhere`;
  if (!existsSync(new URL(path, page))) return `${path} does not exist`;
  if (label === 'cases') return cases.some((one) => one.name === name) ? undefined : `there is no case "${name}"`;
  const { names, texts } = testFile(path);
  const matching = names.filter((one) => one === name || one.endsWith(` › ${name}`));
  if (matching.length !== 1) return `${path} has ${matching.length} tests "${name}"`;
  if (name.includes('%') || name.includes('$')) {
    if (entry === undefined) return undefined;
    return texts.has(entry) ? undefined : `${path} has no entry "${entry}"`;
  }
  return entry === undefined ? undefined : `"${name}" has no entries`;
}

test('there is a table for each of the five dialects, and for nothing else', () => {
  expect(sections.map(({ dialect }) => dialect)).toEqual(dialects);
});

describe.each(sections)('$dialect', ({ rows }) => {
  test('its rows are numbered without a gap, and each quotes the page', () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_row, index) => `${index + 1}`));
    expect(rows.filter(({ says }) => says === '')).toEqual([]);
  });

  test('every row names a test that exists, or says why there is no behaviour to test', () => {
    const wrong = rows.flatMap(({ number, proof }) => {
      if (isNoBehaviour(proof) || isUnproved(proof)) return [];
      return proof.split('<br>').flatMap((part) => {
        const given = proofOf(part.trim());
        const fault = given ? faultOf(given) : `"${part}" is no proof`;
        return fault === undefined ? [] : [`${number}: ${fault}`];
      });
    });
    expect(wrong).toEqual([]);
  });
});

test('no sentence is without a test but those that are listed here', () => {
  const found = sections.flatMap(({ dialect, rows }) =>
    rows.filter(({ proof }) => isUnproved(proof)).map(({ number }) => `${dialect} ${number}`),
  );
  expect(found).toEqual(unproved);
});

test('every file that is named is used', () => {
  const used = new Set(
    sections.flatMap(({ rows }) =>
      rows.flatMap(({ proof }) => proof.split('<br>').map((part) => proofOf(part.trim())?.label)),
    ),
  );
  expect([...files.keys()].filter((label) => !used.has(label))).toEqual([]);
});
