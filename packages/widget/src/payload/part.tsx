/** The props of every part of a payload, and the frame around a part that has parts. */
import type { ComponentChildren, ComponentType } from 'preact';
import { OwnText } from '../blocks/untrusted.tsx';
import { type FieldRowProps, notesOf } from '../form/field-row.tsx';
import type { AnySchema, Schema } from './node.ts';

/** Shared by all parts. Stays the same object as long as nothing in it changes. */
interface Shared extends Pick<FieldRowProps, 'strings' | 'uploads'> {
  root: Schema;
  idPrefix: string;
  /** Sets the value at a pointer. Undefined removes it. */
  set(pointer: string, value: unknown): void;
  /** The component of a part. Passed on, because parts have parts. */
  Part: ComponentType<PartProps>;
}

export interface PartProps {
  schema: AnySchema;
  /** Its position in the payload, and the end of the id of its control. */
  pointer: string;
  name: string;
  /** Replaces the title of the schema. */
  label?: string;
  isRequired: boolean;
  value: unknown;
  /** The recommended value. */
  suggested: unknown;
  /** By pointer. Pointers begin with /payload. */
  problems: ReadonlyMap<string, string>;
  depth: number;
  shared: Shared;
}

export interface LabelledProps extends PartProps {
  label: string;
  description: string | undefined;
}

export function Group(props: LabelledProps & { children: ComponentChildren }) {
  const { pointer, label, description, isRequired, problems, depth, shared, children } = props;
  const id = shared.idPrefix + pointer;
  const problem = problems.get(pointer);
  const { notes, describedBy } = notesOf(id, { about: description, problem });
  // The title of the question already names the whole payload.
  if (depth === 0)
    return (
      <div class="parts" id={id} tabIndex={-1}>
        {notes}
        {children}
      </div>
    );
  return (
    <fieldset
      class={problem ? 'group parts invalid' : 'group parts'}
      id={id}
      tabIndex={-1}
      aria-describedby={describedBy}
    >
      <legend>
        <OwnText text={label} /> {!isRequired && <span class="hint">({shared.strings.optional})</span>}
      </legend>
      {notes}
      {children}
    </fieldset>
  );
}

/** Moves the focus after an item was added or removed. */
export function focusWithin(box: HTMLElement | null | undefined, selector: string): void {
  const found = box?.querySelectorAll<HTMLElement>(selector);
  found?.[found.length - 1]?.focus();
}
