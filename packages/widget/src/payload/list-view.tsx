/** As many as are needed of one kind: each can be taken away, and another added. */
import { pointer as pointerTo } from '@holdpoint/protocol/answers';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusWithin, Group } from './group.tsx';
import { type Node, readNode } from './node.ts';
import type { LabelledProps } from './part-props.ts';
import { initialPayload } from './payload-value.ts';
import { textOf } from './schema.ts';

type ListProps = LabelledProps & { node: Node & { kind: 'list' } };

export function ListView(props: ListProps) {
  const { node, pointer, value, suggested, depth, shared } = props;
  const { strings, root, set, Part } = shared;
  const items = Array.isArray(value) ? value : [];
  const wanted = Array.isArray(suggested) ? suggested : [];
  const itemTitle = textOf(readNode(node.items, root, depth + 1).schema.title);
  const nameOf = (index: number) => (itemTitle ? `${itemTitle} ${index + 1}` : strings.item(index + 1));
  // Each keeps its key, so that taking one away moves nothing that was typed into another.
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
      <Group {...props} depth={Math.max(1, depth)} description={textOf(node.schema.description)}>
        {items.map((item, index) => (
          <div class="item" key={keys[index]}>
            <Part
              {...{ shared }}
              schema={node.items}
              name={String(index)}
              label={nameOf(index)}
              pointer={pointerTo(pointer, index)}
              isRequired
              value={item}
              suggested={wanted[index]}
              problems={props.problems}
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
