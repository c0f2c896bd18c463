/** Finds the problems of a payload that its controls can check, and describes the server's problems in the person's language. */
import { answerLimits, type Problem, pointer as pointerTo, valuesValidator } from '@holdpoint/protocol/answers';
import { describeProblem } from '../form/describe-problem.ts';
import type { Strings } from '../strings/strings.ts';
import { type Leaf, leafOf } from './leaf-field.ts';
import { isValues, mayBe, type Node, ownOf, readNode, type Schema, textOf, Unreadable } from './node.ts';
import type { PartProps } from './part.tsx';

type Place = Omit<PartProps, 'suggested' | 'problems' | 'shared'>;

interface Found extends Pick<Place, 'pointer' | 'value'> {
  /** Absent for JSON that cannot be parsed. */
  leaf?: Leaf;
}

/** The server checks patterns. The engine for them is larger than the rest of the form. */
const passAll = () => true;
const check = valuesValidator(passAll);

export function payloadProblems(root: Schema, name: string, strings: Strings) {
  function* leavesOf(place: Place): Generator<Found> {
    const { schema, pointer, value, isRequired, depth } = place;
    const node = readNode(schema, root, depth);
    if (value instanceof Unreadable) return yield { pointer, value };
    const label = place.label ?? textOf(node.schema.title) ?? place.name;
    const leaf = leafOf(node, { name: place.name, label, isRequired, strings });
    if (leaf) yield { leaf, pointer, value };
    for (const part of partsOf(node, place, strings)) yield* leavesOf(part);
  }
  const leavesIn = (value: unknown) => [
    ...leavesOf({ schema: root, name, pointer: '/payload', isRequired: true, value, depth: 0 }),
  ];
  return {
    /** The problems that are found without the server, which checks everything again. */
    find: (value: unknown): Problem[] =>
      leavesIn(value).flatMap(({ leaf, pointer, value: entered }) => {
        if (!leaf) return [{ pointer, code: 'json', message: strings.notJson }];
        const shown = leaf.show(entered);
        const checked = check([leaf.field], shown === undefined ? {} : { [leaf.field.name]: shown });
        if (checked.ok) return [];
        return checked.problems
          .filter((problem) => isOfSchema(problem, leaf))
          .map((problem) => ({ ...problem, pointer, message: describeProblem(problem, [leaf.field], strings) }));
      }),

    /** The server's codes are keywords of JSON Schema. Fields have other codes for the same problems. */
    describe(problem: Problem, value: unknown): string {
      const field = leavesIn(value).find(({ pointer }) => pointer === problem.pointer)?.leaf?.field;
      if (!field) return problem.message;
      if (problem.code === 'required') {
        const missing = check([{ ...field, required: true }], {});
        if (!missing.ok && missing.problems[0]) return describeProblem(missing.problems[0], [field], strings);
      }
      const isWhole = problem.code === 'type' && field.type === 'number' && field.integer;
      const code = problem.code === 'format' ? field.type : isWhole ? 'integer' : fieldCodes[problem.code];
      if (code === undefined) return problem.message;
      return describeProblem({ ...problem, code, pointer: pointerTo('/values', field.name) }, [field], strings);
    },
  };
}

function partsOf(node: Node, place: Place, strings: Strings): Place[] {
  const { pointer, value, isRequired, depth } = place;
  if (node.kind === 'object') {
    if (!isValues(value) && (!isRequired || node.isNullable)) return [];
    return node.properties.map((part) => {
      const { name } = part;
      return { ...part, depth: depth + 1, pointer: pointerTo(pointer, name), value: ownOf(value, name) };
    });
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
