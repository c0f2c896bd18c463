/** One field as it is shown: its label or legend, what it means, its control, and what is wrong. */
import type { FieldOf, InputField } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { CheckboxControl } from '../fields/boolean-controls.tsx';
import { controlOf, isGroup } from './field-control.tsx';
import type { FieldProps } from './field-props.ts';

export interface FieldRowProps extends Omit<FieldProps, 'describedBy' | 'isInvalid'> {
  problem: string | undefined;
  isSuggested: boolean;
}

export function FieldRow({ problem, isSuggested, ...rest }: FieldRowProps) {
  const { field, id, strings } = rest;
  const [aboutId, problemId] = [`${id}-about`, `${id}-problem`];
  const describedBy = [field.description && aboutId, problem && problemId].filter(Boolean).join(' ') || undefined;
  const props = { ...rest, describedBy, isInvalid: problem !== undefined };
  const label = <Label {...{ field, isSuggested, strings }} />;
  const texts = (
    <>
      {field.description && (
        <p class="hint" id={aboutId}>
          {field.description}
        </p>
      )}
      {problem && (
        <p class="problem" id={problemId}>
          {problem}
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

interface LabelProps {
  field: InputField;
  isSuggested: boolean;
  strings: FieldProps['strings'];
}

function Label({ field, isSuggested, strings }: LabelProps): ComponentChildren {
  return (
    <>
      {field.label ?? field.name}{' '}
      {!field.required && field.type !== 'checkbox' && <span class="hint">({strings.optional})</span>}
      {isSuggested && <span class="badge">{strings.suggested}</span>}
    </>
  );
}
