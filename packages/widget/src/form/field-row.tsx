/** One field as it is shown: its label or legend, what it means, its control, and what is wrong. */
import type { FieldOf, InputField } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { VisibleText } from '../blocks/visible-text.tsx';
import { CheckboxControl } from '../fields/boolean-controls.tsx';
import { controlOf, isGroup } from './field-control.tsx';
import type { FieldProps } from './field-props.ts';

export interface FieldRowProps extends Omit<FieldProps, 'describedBy' | 'isInvalid'> {
  problem: string | undefined;
  isSuggested: boolean;
}

export function FieldRow({ problem, isSuggested, ...rest }: FieldRowProps) {
  const { field, id, strings } = rest;
  const [aboutId, countId, problemId] = [`${id}-about`, `${id}-count`, `${id}-problem`];
  const count = selectionsOf(field, strings);
  const describedBy =
    [field.description && aboutId, count && countId, problem && problemId].filter(Boolean).join(' ') || undefined;
  const props = { ...rest, describedBy, isInvalid: problem !== undefined };
  const label = <Label {...{ field, isSuggested, strings }} />;
  const texts = (
    <>
      {field.description && (
        <p class="hint" id={aboutId} dir="auto">
          <VisibleText text={field.description} />
        </p>
      )}
      {count && (
        <p class="hint" id={countId}>
          {count}
        </p>
      )}
      {problem && (
        <p class="problem" id={problemId}>
          <VisibleText text={problem} />
        </p>
      )}
    </>
  );
  const rowClass = problem ? 'row invalid' : 'row';
  if (field.type === 'checkbox')
    return (
      <div class={rowClass}>
        <CheckboxControl {...props} field={field as FieldOf<'checkbox'>} label={label} />
        {texts}
      </div>
    );
  const Control = controlOf(field.type);
  if (isGroup(field))
    return (
      <fieldset class={rowClass} aria-describedby={describedBy}>
        <legend>{label}</legend>
        {texts}
        <Control {...props} />
      </fieldset>
    );
  return (
    <div class={rowClass}>
      <label class="label" for={id}>
        {label}
      </label>
      {texts}
      <Control {...props} />
    </div>
  );
}

/** How many are to be picked, where there is more to it than one. */
function selectionsOf(field: InputField, { selections }: FieldProps['strings']): string | undefined {
  if (field.type !== 'multi_select') return undefined;
  const { minSelections: min = 0, maxSelections: max = Number.POSITIVE_INFINITY, options } = field;
  if (max >= options.length) return min > 1 ? selections.atLeast(min) : undefined;
  if (min === max) return selections.exactly(min);
  return min > 1 ? selections.between(min, max) : selections.atMost(max);
}

interface LabelProps {
  field: InputField;
  isSuggested: boolean;
  strings: FieldProps['strings'];
}

function Label({ field, isSuggested, strings }: LabelProps): ComponentChildren {
  return (
    <>
      <bdi>
        <VisibleText text={field.label ?? field.name} />
      </bdi>{' '}
      {!field.required && field.type !== 'checkbox' && <span class="hint">({strings.optional})</span>}
      {isSuggested && <span class="badge">{strings.suggested}</span>}
    </>
  );
}
