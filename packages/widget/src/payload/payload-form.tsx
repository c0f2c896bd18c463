/** The form of a JSON Schema. Parts without a control are edited as JSON. */
import { hasSecret, type Problem } from '@holdpoint/protocol/answers';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Uploads } from '../form/field-props.ts';
import type { Strings } from '../strings/strings.ts';
import { payload as rules } from '../style/payload.ts';
import { addRules } from '../style/sheets.ts';
import { JsonView } from './json-view.tsx';
import { isValues, type Schema, Unreadable } from './node.ts';
import { NodeView } from './node-view.tsx';
import { PayloadProblems } from './payload-problems.ts';
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

export interface PayloadFormProps {
  schema: Schema;
  /** The label of the whole payload. */
  name: string;
  draft: unknown;
  suggested: unknown;
  /** By pointer. Pointers begin with /payload. */
  problems: ReadonlyMap<string, string>;
  idPrefix: string;
  /** Called at first, and after each input with its pointer. */
  onEntered(entered: EnteredPayload, pointer?: string): void;
  strings: Strings;
  uploads: Uploads;
}

export function PayloadForm(props: PayloadFormProps) {
  const { schema: root, name, draft, suggested, problems, idPrefix, onEntered, strings, uploads } = props;
  const canDraw = useMemo(() => isDrawable(root), [root]);
  const [isText, setText] = useState(!canDraw);
  const [value, setValue] = useState(
    () => draft ?? proposed(canDraw ? initialPayload(root, root) : undefined, suggested),
  );
  const latest = useRef(value);
  const tell = (pointer?: string) => onEntered(entered(root, name, latest.current, strings), pointer);
  const set = useCallback((pointer: string, part: unknown) => {
    latest.current = putAt(latest.current, tokensOf(pointer), part);
    setValue(latest.current);
    tell(pointer);
  }, []);
  useLayoutEffect(() => tell(), [strings]);
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
  const [isTold, tellStuck] = useState(false);
  const shownProblems = isStuck && isTold ? new Map([['/payload', strings.notJson]]) : problems;
  const toggle = () => {
    tellStuck(isStuck);
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

function entered(root: Schema, name: string, value: unknown, strings: Strings): EnteredPayload {
  const problems = new PayloadProblems(root, name, strings);
  const payload = payloadOf(root, root, value);
  return {
    payload,
    draft: hasSecret(root) ? undefined : payload,
    problems: () => problems.find(value),
    describe: (problem) => problems.describe(problem, value),
  };
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
  const before = isValues(whole) ? whole : {};
  const inner = putAt(Object.hasOwn(before, token) ? before[token] : undefined, rest, part);
  const { [token]: _gone, ...others } = before;
  return inner === undefined ? others : { ...before, [token]: inner };
}
