/** The form of a JSON Schema. Parts without a control are edited as JSON. */
import { hasSecret, type Problem } from '@holdpoint/protocol/answers';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FieldRow } from '../form/field-row.tsx';
import { isSame } from '../form/form-state.ts';
import { payload as rules } from '../style/payload.ts';
import { addRules } from '../style/sheets.ts';
import { JsonView } from './json-view.tsx';
import { leafOf } from './leaf-field.ts';
import { BranchesView, ListView, ObjectView } from './nested-views.tsx';
import { isValues, ownOf, readNode, type Schema, textOf, Unreadable } from './node.ts';
import type { PartProps } from './part.tsx';
import { payloadProblems } from './payload-problems.ts';
import { initialPayload, isDrawable, payloadOf } from './payload-value.ts';

/** The entered payload and its problems. */
export interface EnteredPayload {
  payload: unknown;
  /** The payload to save as a draft. Undefined if the schema has a secret. */
  draft: unknown;
  problems(): Problem[];
  /** Describes a problem that the server found. */
  describe(problem: Problem): string;
}

interface PayloadFormProps
  extends Pick<PartProps, 'name' | 'suggested' | 'problems'>,
    Pick<PartProps['shared'], 'idPrefix' | 'strings' | 'uploads'> {
  schema: Schema;
  draft: unknown;
  /** Called at first, and after each input with its pointer. */
  onEntered(entered: EnteredPayload, pointer?: string): void;
}

export function PayloadForm(props: PayloadFormProps) {
  const { schema: root, name, draft, suggested, problems, idPrefix, onEntered, strings, uploads } = props;
  const canDraw = useMemo(() => isDrawable(root), [root]);
  const [isText, setText] = useState(!canDraw);
  const [value, setValue] = useState(
    () => draft ?? proposed(canDraw ? initialPayload(root, root) : undefined, suggested),
  );
  const latest = useRef(value);
  const report = (pointer?: string) => {
    const problems = payloadProblems(root, name, strings);
    const { current } = latest;
    const payload = payloadOf(root, root, current);
    const entered: EnteredPayload = {
      ...{ payload, draft: hasSecret(root) ? undefined : payload },
      problems: () => problems.find(current),
      describe: (problem) => problems.describe(problem, current),
    };
    onEntered(entered, pointer);
  };
  const set = useCallback((pointer: string, part: unknown) => {
    latest.current = putAt(latest.current, tokensOf(pointer), part);
    setValue(latest.current);
    report(pointer);
  }, []);
  useLayoutEffect(() => report(), [strings]);
  const box = useRef<HTMLDivElement>(null);
  // Not in every element from the start, because most never show a payload form.
  useLayoutEffect(() => addRules(box.current?.getRootNode(), rules), []);
  const shared = useMemo(
    () => ({ root, idPrefix, strings, uploads, set, Part: NodeView }),
    [root, idPrefix, strings, uploads],
  );
  const part = { schema: root, pointer: '/payload', name, isRequired: true, suggested, problems, depth: 0, shared };
  // JSON that cannot be parsed would be lost in the form, so the person has to correct it first.
  const isStuck = isText && value instanceof Unreadable;
  const [isWarned, warn] = useState(false);
  const shownProblems = isStuck && isWarned ? new Map([['/payload', strings.notJson]]) : problems;
  const toggle = () => {
    warn(isStuck);
    if (!isStuck) setText(!isText);
  };
  return (
    <div class="payload" ref={box}>
      {isText ? (
        <JsonView
          {...part}
          label={name}
          problems={shownProblems}
          description={undefined}
          value={isStuck ? value : payloadOf(root, root, value)}
        />
      ) : (
        <NodeView {...part} value={value} />
      )}
      {canDraw && (
        <button type="button" class="quiet as-json" aria-disabled={isStuck || undefined} onClick={toggle}>
          {isText ? strings.editForm : strings.editJson}
        </button>
      )}
    </div>
  );
}

/** Shows one part of a payload, and the parts within it in the same way. */
function NodeView(props: PartProps) {
  const { schema, pointer, name, isRequired, value, suggested, problems, depth, shared } = props;
  const { root, strings, uploads, idPrefix, set } = shared;
  const node = useMemo(() => readNode(schema, root, depth), [schema, root]);
  const label = props.label ?? textOf(node.schema.title) ?? name;
  const leaf = useMemo(
    () => leafOf(node, { name, label, isRequired, strings }),
    [node, name, label, isRequired, strings],
  );
  const problem = problems.get(pointer);
  // Rendered again only after a change of this part.
  const row = useMemo(
    () =>
      leaf && (
        <FieldRow
          {...{ strings, uploads, problem }}
          field={leaf.field}
          id={idPrefix + pointer}
          value={leaf.show(value)}
          onChange={(shown) => set(pointer, shown === undefined ? undefined : leaf.read(shown))}
          isSuggested={suggested !== undefined && isSame(suggested, value)}
        />
      ),
    [leaf, pointer, value, problem, suggested, shared],
  );
  if (row) return row;
  const part = { ...props, label, description: textOf(node.schema.description) };
  switch (node.kind) {
    case 'fixed':
      return null;
    case 'object':
      return <ObjectView {...part} node={node} />;
    case 'list':
      return <ListView {...part} node={node} />;
    case 'branches':
      return <BranchesView {...part} node={node} />;
    default:
      return <JsonView {...part} />;
  }
}

const proposed = (initial: unknown, suggested: unknown): unknown =>
  isValues(suggested) && (initial === undefined || isValues(initial)) ? { ...initial, ...suggested } : initial;

/** The tokens after /payload. */
const tokensOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(2)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));

function putAt(whole: unknown, [token, ...rest]: string[], part: unknown): unknown {
  if (token === undefined) return part;
  if (Array.isArray(whole))
    return whole.map((item, index) => (String(index) === token ? putAt(item, rest, part) : item));
  const inner = putAt(ownOf(whole, token), rest, part);
  const before = isValues(whole) ? whole : {};
  const { [token]: _gone, ...others } = before;
  return inner === undefined ? others : { ...before, [token]: inner };
}
