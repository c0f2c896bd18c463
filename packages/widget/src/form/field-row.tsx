/** One field: its label or legend, description, control and problem. Rare or large controls are fetched when needed. */
import type { FieldOf, InputField } from '@holdpoint/protocol';
import type { ComponentType } from 'preact';
import { OwnText } from '../blocks/untrusted.tsx';
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
  const { notes, describedBy } = notesOf(id, {
    about: field.description,
    count: selectionsOf(field, strings),
    problem,
  });
  const props = { ...rest, describedBy, isInvalid: problem !== undefined };
  const label = <Label {...{ field, isSuggested, strings }} />;
  const rowClass = problem ? 'row invalid' : 'row';
  if (field.type === 'checkbox')
    return (
      <div class={rowClass}>
        <CheckboxControl {...props} field={field as FieldOf<'checkbox'>} label={label} />
        {notes}
      </div>
    );
  const Control = controls.get(field.type) ?? (TextControl as Control);
  if (groups.has(field.type))
    return (
      <fieldset class={rowClass} aria-describedby={describedBy}>
        <legend>{label}</legend>
        {notes}
        <Control {...props} />
      </fieldset>
    );
  return (
    <div class={rowClass}>
      <label class="label" for={id}>
        {label}
      </label>
      {notes}
      <Control {...props} />
    </div>
  );
}

type Note = 'about' | 'count' | 'problem';

/** The texts about a control, and the ids with which the control refers to them. */
export function notesOf(id: string, texts: Partial<Record<Note, string | undefined>>) {
  const shown = Object.entries(texts).filter(([, text]) => text);
  return {
    describedBy: shown.map(([note]) => `${id}-${note}`).join(' ') || undefined,
    notes: shown.map(([note, text = '']) => (
      <OwnText key={note} tag="p" class={note === 'problem' ? note : 'hint'} id={`${id}-${note}`} text={text} />
    )),
  };
}

/** Says how many options to choose, unless it is simply one. */
function selectionsOf(field: InputField, { selections }: FieldProps['strings']): string | undefined {
  if (field.type !== 'multi_select') return undefined;
  const { minSelections: min = 0, maxSelections: max = Number.POSITIVE_INFINITY, options } = field;
  if (max >= options.length) return min > 1 ? selections.atLeast(min) : undefined;
  if (min === max) return selections.exactly(min);
  return min > 1 ? selections.between(min, max) : selections.atMost(max);
}

function Label({ field, isSuggested, strings }: Pick<FieldRowProps, 'field' | 'isSuggested' | 'strings'>) {
  return (
    <>
      <OwnText text={field.label ?? field.name} />{' '}
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

type TextType = 'text' | 'textarea' | 'email' | 'tel' | 'url' | 'custom';

/** Every other type, also one that only a newer server knows, is a line of text: add it to `TextType`, or its control here. */
const controls = new Map(
  Object.entries({
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
  } satisfies Record<Exclude<InputField['type'], TextType | 'checkbox'>, unknown> as Record<string, Control>),
);

/** Fields with several controls. They are a group with a legend. */
const groups = new Set<InputField['type']>(['confirm', 'radio', 'multi_select', 'rating', 'signature']);
