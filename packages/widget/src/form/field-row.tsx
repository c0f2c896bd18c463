/** One field: its label or legend, description, control and problem. Rare or large controls are fetched when needed. */
import type { FieldOf, InputField } from '@holdpoint/protocol';
import type { ComponentChildren, ComponentType } from 'preact';
import { VisibleText } from '../blocks/untrusted.tsx';
import {
  CheckboxControl,
  ConfirmControl,
  MultiSelectControl,
  RadioControl,
  RatingControl,
  SelectControl,
} from '../fields/choice-controls.tsx';
import { CalendarControl, NumberControl, PasswordControl, TextControl } from '../fields/text-control.tsx';
import type { FieldProps } from './field-props.ts';
import { lazily } from './lazily.tsx';

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

/** Says how many options to choose, unless it is simply one. */
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

const UploadControl = lazily(() => import('../fields/upload-control.tsx').then((all) => all.UploadControl as Control));
const SignatureControl = lazily(() =>
  import('../fields/signature-control.tsx').then((all) => all.SignatureControl as Control),
);

type Control = ComponentType<FieldProps>;

/** Without the checkbox, whose label is part of the control. */
const controls = {
  text: TextControl,
  textarea: TextControl,
  email: TextControl,
  tel: TextControl,
  url: TextControl,
  custom: TextControl,
  password: PasswordControl,
  number: NumberControl,
  date: CalendarControl,
  time: CalendarControl,
  datetime: CalendarControl,
  confirm: ConfirmControl,
  select: SelectControl,
  radio: RadioControl,
  multi_select: MultiSelectControl,
  rating: RatingControl,
  file_upload: UploadControl,
  image_upload: UploadControl,
  signature: SignatureControl,
} as Record<Exclude<InputField['type'], 'checkbox'>, Control>;

/** Fields with several controls. They are a group with a legend. */
const isGroup = ({ type }: InputField): boolean =>
  type === 'confirm' || type === 'radio' || type === 'multi_select' || type === 'rating' || type === 'signature';

/** An unknown type, which a newer server may send, is a line of text. */
const controlOf = (type: InputField['type']): Control =>
  type === 'checkbox' || !Object.hasOwn(controls, type) ? (TextControl as Control) : controls[type];
