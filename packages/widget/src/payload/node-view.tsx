/** Shows one part of a payload, and the parts within it in the same way. */
import { useMemo } from 'preact/hooks';
import { FieldRow } from '../form/field-row.tsx';
import { JsonView } from './json-view.tsx';
import { leafOf } from './leaf-field.ts';
import { BranchesView, ListView, ObjectView } from './nested-views.tsx';
import { readNode, textOf } from './node.ts';
import type { PartProps } from './part.tsx';

export function NodeView(props: PartProps) {
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
          isSuggested={suggested !== undefined && JSON.stringify(suggested) === JSON.stringify(value)}
        />
      ),
    [leaf, pointer, value, problem, suggested, shared],
  );
  if (row) return row;
  const part = { ...props, label };
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
      return <JsonView {...part} description={textOf(node.schema.description)} />;
  }
}
