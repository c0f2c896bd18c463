/** Parts with names, in the order of the schema. One that may be left out is there once somebody adds it. */
import { pointer as pointerTo } from '@holdpoint/protocol/answers';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Group } from './group.tsx';
import type { Node } from './node.ts';
import type { LabelledProps } from './part-props.ts';
import { initialPayload } from './payload-value.ts';
import { isValues, textOf } from './schema.ts';

type ObjectProps = LabelledProps & { node: Node & { kind: 'object' } };

export function ObjectView(props: ObjectProps) {
  const { node, label, schema, pointer, isRequired, value, suggested, depth, shared } = props;
  const { strings, root, set, Part } = shared;
  const box = useRef<HTMLDivElement>(null);
  const isThere = (isRequired && !node.isNullable) || isValues(value);
  const wasThere = useRef(isThere);
  // The button that was pressed is gone: focus goes to the first thing to fill in, or to the button that came instead.
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
  const values = isValues(value) ? value : {};
  const wanted = isValues(suggested) ? suggested : {};
  return (
    <div ref={box}>
      <Group {...props} description={textOf(node.schema.description)}>
        {node.properties.map(({ name, schema: part, isRequired: isNeeded }) => (
          <Part
            key={name}
            {...{ name, shared }}
            schema={part}
            pointer={pointerTo(pointer, name)}
            isRequired={isNeeded}
            value={Object.hasOwn(values, name) ? values[name] : undefined}
            suggested={Object.hasOwn(wanted, name) ? wanted[name] : undefined}
            problems={props.problems}
            depth={depth + 1}
          />
        ))}
        {!(isRequired && !node.isNullable) && (
          <button type="button" class="quiet" onClick={() => set(pointer, undefined)}>
            {strings.remove(label)}
          </button>
        )}
      </Group>
    </div>
  );
}
