/** Finds the problems of a payload that its controls can check, and describes the server's problems in the person's language. */
import { answerLimits, type Problem, pointer as pointerTo, valuesValidator } from '@holdpoint/protocol/answers';
import { describeProblem } from '../form/describe-problem.ts';
import type { Strings } from '../strings/strings.ts';
import { type Leaf, leafOf } from './leaf-field.ts';
import { type AnySchema, isValues, mayBe, type Node, readNode, type Schema, textOf, Unreadable } from './node.ts';

interface Place {
  schema: AnySchema | undefined;
  name: string;
  /** The label of a list item, with its number. */
  label?: string;
  pointer: string;
  isRequired: boolean;
  value: unknown;
  depth: number;
}

interface Found {
  /** Absent for JSON that cannot be parsed. */
  leaf?: Leaf;
  pointer: string;
  value: unknown;
}

/** The server checks patterns. The engine for them is larger than the rest of the form. */
const passAll = () => true;
const check = valuesValidator(passAll);

export class PayloadProblems {
  readonly #root: Schema;
  readonly #name: string;
  readonly #strings: Strings;

  constructor(root: Schema, name: string, strings: Strings) {
    this.#root = root;
    this.#name = name;
    this.#strings = strings;
  }

  /** The problems that are found without the server, which checks everything again. */
  find(value: unknown): Problem[] {
    const whole = { schema: this.#root, name: this.#name, pointer: '/payload', isRequired: true, value, depth: 0 };
    return [...this.#leaves(whole)].flatMap(({ leaf, pointer, value: entered }) => {
      if (!leaf) return [{ pointer, code: 'json', message: this.#strings.notJson }];
      const { name } = leaf.field;
      const shown = leaf.show(entered);
      const checked = check([leaf.field], shown === undefined ? {} : { [name]: shown });
      if (checked.ok) return [];
      return checked.problems
        .filter((problem) => isOfSchema(problem, leaf))
        .map((problem) => ({ ...problem, pointer, message: describeProblem(problem, [leaf.field], this.#strings) }));
    });
  }

  /** The server's codes are keywords of JSON Schema. Fields have other codes for the same problems. */
  describe(problem: Problem, value: unknown): string {
    const whole = { schema: this.#root, name: this.#name, pointer: '/payload', isRequired: true, value, depth: 0 };
    const found = [...this.#leaves(whole)].find(({ pointer }) => pointer === problem.pointer);
    if (!found?.leaf) return problem.message;
    const { field } = found.leaf;
    if (problem.code === 'required') {
      const missing = check([{ ...field, required: true }], {});
      if (!missing.ok && missing.problems[0]) return describeProblem(missing.problems[0], [field], this.#strings);
    }
    const isWhole = problem.code === 'type' && field.type === 'number' && field.integer;
    const code = problem.code === 'format' ? field.type : isWhole ? 'integer' : fieldCodes[problem.code];
    if (code === undefined) return problem.message;
    return describeProblem({ ...problem, code, pointer: pointerTo('/values', field.name) }, [field], this.#strings);
  }

  *#leaves(place: Place): Generator<Found> {
    const { schema, pointer, value, isRequired, name, depth } = place;
    const node = readNode(schema, this.#root, depth);
    if (value instanceof Unreadable) return yield { pointer, value };
    const label = place.label ?? textOf(node.schema.title) ?? name;
    const leaf = leafOf(node, { name, label, isRequired, strings: this.#strings });
    if (leaf) yield { leaf, pointer, value };
    for (const part of partsOf(node, place, this.#strings)) yield* this.#leaves(part);
  }
}

function partsOf(node: Node, place: Place, strings: Strings): Place[] {
  const { pointer, value, isRequired, depth } = place;
  if (node.kind === 'object') {
    if (!isValues(value) && (!isRequired || node.isNullable)) return [];
    const values = isValues(value) ? value : {};
    return node.properties.map(({ name, schema, isRequired: isNeeded }) => ({
      ...{ name, schema, isRequired: isNeeded, depth: depth + 1, pointer: pointerTo(pointer, name) },
      value: Object.hasOwn(values, name) ? values[name] : undefined,
    }));
  }
  if (node.kind === 'list' && Array.isArray(value))
    return value.map((item, index) => ({
      ...{ schema: node.items, isRequired: true, depth: depth + 1, value: item },
      ...{ name: String(index), label: strings.item(index + 1), pointer: pointerTo(pointer, index) },
    }));
  if (node.kind !== 'branches' || value === undefined) return [];
  const branch = node.branches.find((one) => mayBe(one, value));
  return branch ? [{ ...place, schema: branch, isRequired: true }] : [];
}

/** A field is judged more strictly than a schema in some ways, which are not held against a payload. */
function isOfSchema({ code }: Problem, { field }: Leaf): boolean {
  if (field.type === 'url') return code === 'required';
  return (
    code !== 'max-length' ||
    ('maxLength' in field && (field.maxLength ?? Number.POSITIVE_INFINITY) <= answerLimits.textLength)
  );
}

const fieldCodes: Record<string, string> = {
  ...{ type: 'type', enum: 'option', oneOf: 'option', anyOf: 'option', pattern: 'pattern' },
  ...{ minLength: 'min-length', maxLength: 'max-length', minimum: 'min', maximum: 'max' },
  ...{ minItems: 'min-selections', maxItems: 'max-selections', uniqueItems: 'duplicate' },
};
