/** Reads a payloadSchema as it was sent: returns every problem in it, and the target of each $ref. */
import { checkJson, isObject } from '../json.ts';
import { limits } from '../limits.ts';
import { boundProblems, type Problem, pointer, problem } from '../problem.ts';
import { applicators, assertionFaults, inPlace, patternArgumentFault, refused } from './keyword-shapes.ts';
import type { Schema } from './schema-object.ts';

interface AnalysedSchema {
  problems: Problem[];
  refs: ReadonlyMap<string, Schema>;
}

/** All schemas by their pointers from the root, and the edges between those that check the same value. */
interface Walk {
  places: Map<string, Schema>;
  edges: Map<string, string[]>;
  references: { ref: string; from: string }[];
  problems: Problem[];
  patterns: Set<string>;
}

export function analyseSchema(schema: unknown, at: string): AnalysedSchema {
  if (!isObject(schema)) return failed(problem(at, 'type', 'A payloadSchema must be an object.'));
  const oversize = checkJson(schema, { maxBytes: limits.payloadSchemaBytes, maxDepth: limits.payloadSchemaDepth }, at);
  if (oversize.length > 0) return failed(...oversize);

  const found = walk(schema, at);
  const refs = new Map<string, Schema>();
  for (const { ref, from } of found.references) {
    const target = refTarget(ref);
    const place = target === undefined ? undefined : found.places.get(target);
    if (target === undefined || place === undefined) {
      const message = 'A $ref must be "#" or lead to a schema inside this one, such as "#/$defs/name".';
      found.problems.push(problem(pointer(at + from, '$ref'), '$ref', message));
      continue;
    }
    refs.set(ref, place);
    found.edges.get(from)?.push(target);
  }
  const circle = firstInCircle(found.edges);
  if (circle !== undefined) {
    found.problems.push(
      problem(at + circle, 'ref-cycle', 'This schema refers to itself without checking another value.'),
    );
  }
  return { problems: boundProblems(found.problems), refs };
}

const failed = (...problems: Problem[]): AnalysedSchema => ({ problems, refs: new Map() });

function walk(root: Record<string, unknown>, at: string): Walk {
  const found: Walk = { places: new Map(), edges: new Map(), references: [], problems: [], patterns: new Set() };
  const stack: { schema: unknown; from: string }[] = [{ schema: root, from: '' }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { schema, from } = next;
    const complain = (code: string, message: string, ...tokens: (string | number)[]) =>
      found.problems.push(problem(pointer(at + from, ...tokens), code, message));
    if (typeof schema !== 'boolean' && !isObject(schema)) {
      complain('type', 'A schema must be an object, true or false.');
      continue;
    }
    found.places.set(from, schema as Schema);
    const sameValue: string[] = [];
    found.edges.set(from, sameValue);
    if (typeof schema === 'boolean') continue;

    for (const [keyword, argument] of Object.entries(schema)) {
      for (const pattern of patternsIn(keyword, argument)) found.patterns.add(pattern);
      if (found.patterns.size > limits.payloadSchemaPatterns) {
        complain('too-many-patterns', `A schema may hold at most ${limits.payloadSchemaPatterns} patterns.`, keyword);
        return found;
      }
      const hint = Object.hasOwn(refused, keyword) ? refused[keyword] : undefined;
      if (hint || (keyword === '$id' && from !== ''))
        complain('unsupported-keyword', `${keyword} is not supported. ${hint ?? ''}`.trim(), keyword);
      const fault = Object.hasOwn(assertionFaults, keyword) ? assertionFaults[keyword]?.(argument) : undefined;
      if (fault) complain(keyword, fault, keyword);
      if (keyword === '$ref') {
        if (typeof argument === 'string') found.references.push({ ref: argument, from });
        else complain('$ref', 'This must be a string.', keyword);
      }
      if (!Object.hasOwn(applicators, keyword)) continue;
      const form = applicators[keyword as keyof typeof applicators];
      const inside = subschemas(form, argument);
      if (!inside) {
        complain(keyword, keyword === 'items' ? itemsFault : `${keyword} must be ${wanted[form]}.`, keyword);
        continue;
      }
      for (const [tokens, subschema] of inside) {
        const where = pointer(from, keyword, ...tokens);
        if (keyword === 'patternProperties') {
          const patternFault = patternArgumentFault(tokens[0]);
          if (patternFault) complain('pattern', patternFault, keyword, ...tokens);
        }
        if (inPlace.has(keyword)) sameValue.push(where);
        stack.push({ schema: subschema, from: where });
      }
    }
  }
  return found;
}

function patternsIn(keyword: string, argument: unknown): string[] {
  if (keyword === 'pattern' && typeof argument === 'string') return [argument];
  return keyword === 'patternProperties' && isObject(argument) ? Object.keys(argument) : [];
}

/** Returns the subschemas of a keyword with the tokens that lead to each, or undefined if its argument has another form. */
function subschemas(form: keyof typeof wanted, argument: unknown): [string[], unknown][] | undefined {
  if (form === 'one') return Array.isArray(argument) ? undefined : [[[], argument]];
  if (form === 'list') {
    if (!Array.isArray(argument) || argument.length === 0) return undefined;
    return argument.map((item, index) => [[String(index)], item]);
  }
  return isObject(argument) ? Object.entries(argument).map(([key, item]) => [[key], item]) : undefined;
}

const wanted = { map: 'an object of schemas', list: 'a list of at least one schema', one: 'a schema' };
const itemsFault = 'items must be one schema; use prefixItems for a list.';

function refTarget(ref: string): string | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(ref.slice(1));
  } catch {
    return undefined;
  }
}

/** Repeatedly removes schemas that lead nowhere. The rest are part of a circle, or lead into one. */
function firstInCircle(edges: ReadonlyMap<string, string[]>): string | undefined {
  const open = new Map([...edges].map(([place, targets]) => [place, targets.length]));
  const sources = new Map<string, string[]>();
  for (const [place, targets] of edges) {
    for (const target of targets) {
      const known = sources.get(target);
      if (known) known.push(place);
      else sources.set(target, [place]);
    }
  }
  const done = [...open.keys()].filter((place) => open.get(place) === 0);
  for (let place = done.pop(); place !== undefined; place = done.pop()) {
    open.delete(place);
    for (const source of sources.get(place) ?? []) {
      const left = (open.get(source) ?? 0) - 1;
      open.set(source, left);
      if (left === 0) done.push(source);
    }
  }
  return open.keys().next().value;
}
