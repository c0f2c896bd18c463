/** One of several forms: first which, then that form. */

import type { FieldOf } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { FieldRow } from '../form/field-row.tsx';
import { mayBe, type Node } from './node.ts';
import type { LabelledProps } from './part-props.ts';
import { initialPayload } from './payload-value.ts';
import { type Schema, textOf } from './schema.ts';

type BranchesProps = LabelledProps & { node: Node & { kind: 'branches' } };

/** Up to here they are shown all at once. */
const fewBranches = 4;

export function BranchesView(props: BranchesProps) {
  const { node, name, label, pointer, isRequired, value, depth, shared } = props;
  const { strings, idPrefix, uploads, root, set, Part } = shared;
  const { branches } = node;
  const description = textOf(node.schema.description);
  const [picked, pick] = useState(() => {
    const fitting = value === undefined ? -1 : branches.findIndex((branch) => mayBe(branch, value));
    return fitting < 0 ? undefined : fitting;
  });
  const field = {
    ...{ name, label, required: isRequired && !node.isNullable },
    ...defined({ description }),
    type: branches.length > fewBranches ? 'select' : 'radio',
    options: branches.map((branch, index) => ({ value: String(index), label: labelOf(branch, index) })),
  } as FieldOf<'select'>;
  const choose = (shown: unknown) => {
    const index = shown === undefined ? undefined : Number(shown);
    pick(index);
    set(pointer, index === undefined ? undefined : initialPayload(branches[index], root, true, depth + 1));
  };
  const branch = picked === undefined ? undefined : branches[picked];
  const isOpen = branch !== undefined;
  const id = idPrefix + pointer;
  return (
    <div class="parts">
      <FieldRow
        {...{ field, strings, uploads }}
        id={isOpen ? `${id}-form` : id}
        value={isOpen ? String(picked) : undefined}
        onChange={choose}
        problem={isOpen ? undefined : props.problems.get(pointer)}
        isSuggested={false}
      />
      {branch && <Part key={picked} {...props} schema={branch} label={labelOf(branch, picked ?? 0)} isRequired />}
    </div>
  );
}

/** Its title, or the one word by which it is told from the others. */
function labelOf(branch: Schema, index: number): string {
  const fixed = Object.values(branch.properties ?? {}).flatMap((part) =>
    typeof part === 'object' && typeof part.const === 'string' ? [part.const] : [],
  );
  const type = typeof branch.type === 'string' && branch.type !== 'object' ? branch.type : undefined;
  return textOf(branch.title) ?? fixed[0] ?? textOf(branch.description) ?? type ?? String(index + 1);
}
