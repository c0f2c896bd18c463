/** The props of every part of a payload, and the frame around a part that has parts. */
import type { ComponentChildren, ComponentType } from 'preact';
import { VisibleText } from '../blocks/untrusted.tsx';
import type { Uploads } from '../form/field-props.ts';
import type { Strings } from '../strings/strings.ts';
import type { AnySchema, Schema } from './node.ts';

/** The same for all parts, and the same object as long as nothing of it changes. */
interface Shared {
  root: Schema;
  idPrefix: string;
  strings: Strings;
  uploads: Uploads;
  /** Puts a value in its place; undefined takes it out. */
  set(pointer: string, value: unknown): void;
  /** What draws a part: parts have parts. */
  Part: ComponentType<PartProps>;
}

export interface PartProps {
  schema: AnySchema;
  /** Its place, which is also the end of the id of its control. */
  pointer: string;
  name: string;
  /** Instead of the title of the schema. */
  label?: string;
  isRequired: boolean;
  value: unknown;
  /** What was recommended for it. */
  suggested: unknown;
  problems: ReadonlyMap<string, string>;
  depth: number;
  shared: Shared;
}

export interface LabelledProps extends PartProps {
  label: string;
}

interface GroupProps extends LabelledProps {
  description: string | undefined;
  children: ComponentChildren;
}

export function Group({ pointer, label, description, isRequired, problems, depth, shared, children }: GroupProps) {
  const id = shared.idPrefix + pointer;
  const problem = problems.get(pointer);
  const texts = (
    <>
      {description && (
        <p class="hint" id={`${id}-about`} dir="auto">
          <VisibleText text={description} />
        </p>
      )}
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </>
  );
  // The whole has its name already: it is the question.
  if (depth === 0)
    return (
      <div class="parts" id={id} tabIndex={-1}>
        {texts}
        {children}
      </div>
    );
  const describedBy = [description && `${id}-about`, problem && `${id}-problem`].filter(Boolean).join(' ');
  return (
    <fieldset
      class={problem ? 'group parts invalid' : 'group parts'}
      id={id}
      tabIndex={-1}
      aria-describedby={describedBy || undefined}
    >
      <legend>
        <bdi>
          <VisibleText text={label} />
        </bdi>{' '}
        {!isRequired && <span class="hint">({shared.strings.optional})</span>}
      </legend>
      {texts}
      {children}
    </fieldset>
  );
}

/** Where focus goes when something has come into a group, or has gone from it. */
export function focusWithin(box: HTMLElement | null | undefined, selector: string): void {
  const found = box?.querySelectorAll<HTMLElement>(selector);
  found?.[found.length - 1]?.focus();
}
