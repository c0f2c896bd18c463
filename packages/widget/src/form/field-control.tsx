/** The control for a field, by its type. What is heavy or rare is fetched when a field needs it. */
import type { InputField } from '@holdpoint/protocol';
import type { ComponentType } from 'preact';
import { ConfirmControl } from '../fields/boolean-controls.tsx';
import { MultiSelectControl, RadioControl, SelectControl } from '../fields/choice-controls.tsx';
import { RatingControl } from '../fields/rating-control.tsx';
import { CalendarControl, NumberControl, PasswordControl, TextControl } from '../fields/text-control.tsx';
import type { FieldProps } from './field-props.ts';
import { lazily } from './lazily.tsx';

const UploadControl = lazily(() => import('../fields/upload-control.tsx').then((all) => all.UploadControl as Control));
const SignatureControl = lazily(() =>
  import('../fields/signature-control.tsx').then((all) => all.SignatureControl as Control),
);

type Control = ComponentType<FieldProps>;

/** A checkbox is not among them: its label is a part of it. */
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

/** Those that are made of several controls, and so are a group with a legend. */
export const isGroup = ({ type }: InputField): boolean =>
  type === 'confirm' || type === 'radio' || type === 'multi_select' || type === 'rating' || type === 'signature';

/** A type that a later server may send is asked as a line of text. */
export const controlOf = (type: InputField['type']): Control =>
  type === 'checkbox' || !Object.hasOwn(controls, type) ? (TextControl as Control) : controls[type];
