/** Parts that have parts: an object, a list, and a choice between forms. */
import { defined, type FieldOf } from '@holdpoint/protocol';
import { pointer as pointerTo } from '@holdpoint/protocol/answers';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { FieldRow } from '../form/field-row.tsx';
import { isValues, mayBe, type Node, ownOf, readNode, type Schema, textOf } from './node.ts';
import { focusWithin, Group, type LabelledProps } from './part.tsx';
import { initialPayload } from './payload-value.ts';

type ObjectProps = LabelledProps & { node: Node & { kind: 'object' } };

export function ObjectView(props: ObjectProps) {
  const { node, label, schema, pointer, isRequired, value, suggested, problems, depth, shared } = props;
  const { strings, root, set, Part } = shared;
  const box = useRef<HTMLDivElement>(null);
  const isNeeded = isRequired && !node.isNullable;
  const isThere = isNeeded || isValues(value);
  const wasThere = useRef(isThere);
  // The pressed button is gone. The focus moves to the first control, or to the button that replaced it.
  useLayoutEffect(() => {
    if (wasThere.current === isThere) return;
    wasThere.current = isThere;
    box.current?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
  }, [isThere]);
  if (!isThere)
    return (
      <div class="row" ref={box} id={shared.idPrefix + pointer} tabIndex={-1}>
        <button
          type="button"
          class="button add"
          onClick={() => set(pointer, initialPayload(schema, root, true, depth))}
        >
          {strings.add(label)}
        </button>
      </div>
    );
  return (
    <div ref={box}>
      <Group {...props}>
        {node.properties.map((part) => (
          <Part
            key={part.name}
            {...{ ...part, shared, problems }}
            pointer={pointerTo(pointer, part.name)}
            value={ownOf(value, part.name)}
            suggested={ownOf(suggested, part.name)}
            depth={depth + 1}
          />
        ))}
        {!isNeeded && (
          <button type="button" class="quiet" onClick={() => set(pointer, undefined)}>
            {strings.remove(label)}
          </button>
        )}
      </Group>
    </div>
  );
}

type ListProps = LabelledProps & { node: Node & { kind: 'list' } };

export function ListView(props: ListProps) {
  const { node, pointer, value, suggested, problems, depth, shared } = props;
  const { strings, root, set, Part } = shared;
  const items = Array.isArray(value) ? value : [];
  const wanted = Array.isArray(suggested) ? suggested : [];
  const itemTitle = textOf(readNode(node.items, root, depth + 1).schema.title);
  const nameOf = (index: number) => (itemTitle ? `${itemTitle} ${index + 1}` : strings.item(index + 1));
  // Each item keeps its key, so that removing one does not move the input of another.
  const keys = useRef<number[]>([]).current;
  const nextKey = useRef(0);
  while (keys.length < items.length) keys.push(nextKey.current++);
  keys.length = items.length;
  const box = useRef<HTMLDivElement>(null);
  const focusNext = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (focusNext.current) focusWithin(box.current, focusNext.current);
    focusNext.current = undefined;
  }, [items.length]);
  const add = () => {
    focusNext.current = ':scope > .group > .item:last-of-type :is(input, select, textarea)';
    set(pointer, [...items, initialPayload(node.items, root, true, depth + 1)]);
  };
  const remove = (index: number) => {
    focusNext.current = ':scope .add';
    keys.splice(index, 1);
    set(
      pointer,
      items.filter((_, at) => at !== index),
    );
  };
  return (
    <div ref={box}>
      <Group {...props} depth={Math.max(1, depth)}>
        {items.map((item, index) => (
          <div class="item" key={keys[index]}>
            <Part
              {...{ shared, problems }}
              schema={node.items}
              name={String(index)}
              label={nameOf(index)}
              pointer={pointerTo(pointer, index)}
              isRequired
              value={item}
              suggested={wanted[index]}
              depth={depth + 1}
            />
            <button type="button" class="quiet" onClick={() => remove(index)}>
              {strings.remove(nameOf(index))}
            </button>
          </div>
        ))}
        <button type="button" class="button add" onClick={add}>
          {itemTitle ? strings.add(itemTitle) : strings.addItem}
        </button>
      </Group>
    </div>
  );
}

type BranchesProps = LabelledProps & { node: Node & { kind: 'branches' } };

/** Up to this many branches are shown all at once. */
const fewBranches = 4;

export function BranchesView(props: BranchesProps) {
  const { node, name, label, description, pointer, isRequired, value, depth, shared } = props;
  const { strings, idPrefix, uploads, root, set, Part } = shared;
  const { branches } = node;
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

/** The title of a branch, or the constant that distinguishes it. */
function labelOf(branch: Schema, index: number): string {
  const fixed = Object.values(branch.properties ?? {}).flatMap((part) =>
    typeof part === 'object' && typeof part.const === 'string' ? [part.const] : [],
  );
  const type = typeof branch.type === 'string' && branch.type !== 'object' ? branch.type : undefined;
  return textOf(branch.title) ?? fixed[0] ?? textOf(branch.description) ?? type ?? String(index + 1);
}
