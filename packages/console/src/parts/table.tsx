/** Tables, and lists of names with values. */
import type { ComponentChildren } from 'preact';

/** A title, or a title with its class: `visually-hidden` hides the text of a column of buttons. */
type Head = string | readonly [title: string, look: 'number' | 'end' | 'visually-hidden'];

interface TableProps {
  heads: readonly Head[];
  class?: string;
  children: ComponentChildren;
}

export const Table = ({ heads, class: given = '', children }: TableProps) => (
  <table class={`table ${given}`}>
    <thead>
      <tr>
        {heads.map((head) => {
          const [title, look] = typeof head === 'string' ? [head] : head;
          return (
            <th key={title} scope="col" class={look === 'visually-hidden' ? undefined : look}>
              {look === 'visually-hidden' ? <span class={look}>{title}</span> : title}
            </th>
          );
        })}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

/** A name with its value. Renders nothing without a value. */
export const Fact = ({ name, value }: { name: ComponentChildren; value: ComponentChildren }) =>
  value ? (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  ) : null;
