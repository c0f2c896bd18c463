/** A part that has parts: a group with a name, what it means, and what is wrong with it as a whole. */
import type { ComponentChildren } from 'preact';
import { VisibleText } from '../blocks/visible-text.tsx';
import type { LabelledProps } from './part-props.ts';

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
