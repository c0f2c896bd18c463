/** Forms: their controls, and submitting with errors shown at the fields. */
import { defined, HoldpointError } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';
import { wordsFor } from '../service.ts';
import { Button, useAction } from './button.tsx';
import { Dialog, Fault } from './dialog.tsx';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  value: string;
  onValue(value: string): void;
  type?: 'text' | 'email' | 'url' | 'date' | 'datetime-local' | 'password';
  autocomplete?: 'off' | 'name' | 'new-password';
  placeholder?: string;
  maxLength?: number;
  spellcheck?: boolean;
  isLong?: boolean;
  isCode?: boolean;
}

export function Field({ label, hint, fault, value, onValue, type = 'text', isLong, isCode, ...given }: FieldProps) {
  const id = useId();
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  const control = {
    ...given,
    id,
    value,
    class: isCode ? 'control mono' : 'control',
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onValue(currentTarget.value),
    ...defined({ 'aria-describedby': described || undefined, 'aria-invalid': fault ? (true as const) : undefined }),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {isLong ? <textarea {...control} /> : <input {...control} type={type as 'url'} />}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}

interface ChoicesProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; title: string; does: string }[];
  value: Value;
  onValue(value: NoInfer<Value>): void;
}

/** A few options, each with an explanation. */
export function Choices<Value extends string>({ legend, options, value, onValue }: ChoicesProps<Value>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend class="legend">{legend}</legend>
      {options.map((option) => (
        <label key={option.value} class="choice">
          <input type="radio" name={name} checked={value === option.value} onChange={() => onValue(option.value)} />
          <span>
            <b>{option.title}</b>
            <span class="hint">{option.does}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface TickProps {
  text: ComponentChildren;
  isOn: boolean;
  onChange(isOn: boolean): void;
  class?: string;
}

export const Tick = ({ text, isOn, onChange, class: given = '' }: TickProps) => (
  <label class={`tick ${given}`}>
    <input type="checkbox" checked={isOn} onChange={() => onChange(!isOn)} />
    {text}
  </label>
);

export interface SelectProps {
  /** A visible label. */
  label?: string;
  /** The accessible name, where no label is visible. */
  name?: string;
  id?: string;
  value: string;
  options: readonly (readonly [value: string, words: string])[];
  onValue(value: string): void;
  class?: string;
  /** Further options before the others. */
  children?: ComponentChildren;
}

export function Select(props: SelectProps) {
  const own = useId();
  const { label, name, id = own, value, options, onValue, class: given = '', children } = props;
  const control = (
    <select
      id={id}
      class={`control ${given}`}
      aria-label={name}
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
    >
      {children}
      {options.map(([each, words]) => (
        <option key={each} value={each}>
          {words}
        </option>
      ))}
    </select>
  );
  if (label === undefined) return control;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {control}
    </div>
  );
}

interface Faults {
  /** By field name, which is the start of the pointer. */
  of: Readonly<Record<string, string>>;
  /** Messages that belong to no field of the form. */
  rest: string;
}

const noFaults: Faults = { of: {}, rest: '' };

function faultsOf(error: unknown, names: readonly string[]): Faults {
  const problems = error instanceof HoldpointError ? (error.fault.problems ?? []) : [];
  const of: Record<string, string> = {};
  const rest: string[] = [];
  for (const { pointer, code, message } of problems) {
    const name = names.find((each) => pointer === `/${each}` || pointer.startsWith(`/${each}/`));
    // The message is for programs: it has the pattern. The hint of the field says what it means.
    if (name) of[name] ??= code === 'pattern' ? 'This has characters that are not allowed here.' : message;
    else rest.push(message);
  }
  return { of, rest: problems.length > 0 ? rest.join(' ') : wordsFor(error) };
}

/**
 * The state of a form: its texts by field name, and submitting them, trimmed, once at a time. `others` names the fields
 * that are no texts.
 */
export function useForm<Name extends string>(
  initial: Readonly<Record<Name, string>>,
  send: (texts: Readonly<Record<Name, string>>) => Promise<unknown>,
  others: readonly string[] = [],
) {
  const [texts, setTexts] = useState(initial);
  const [faults, setFaults] = useState(noFaults);
  const element = useRef<HTMLFormElement>(null);
  const [submit, isBusy] = useAction(
    async () => {
      const trimmed = Object.entries<string>(texts).map(([name, text]) => [name, text.trim()]);
      await send(Object.fromEntries(trimmed));
      setFaults(noFaults);
    },
    (error) => {
      setFaults(faultsOf(error, [...Object.keys(initial), ...others]));
      // After the render, focuses the first invalid field or the error of the whole form.
      setTimeout(() => element.current?.querySelector<HTMLElement>('[aria-invalid], [role="alert"]')?.focus());
    },
  );
  /** The properties of the field with this name. */
  const field = (name: Name) => ({
    value: texts[name],
    onValue: (text: string) => setTexts((before) => ({ ...before, [name]: text })),
    fault: faults.of[name],
  });
  return { field, faults, isBusy, element, submit };
}

/** The properties of a dialog that creates a record, or edits the one from `before`. */
export interface EditProps<T> {
  before?: T;
  onClose(): void;
  onSaved(): void;
}

interface FormDialogProps {
  title: string;
  /** The label of the button that submits. */
  verb: string;
  form: Pick<ReturnType<typeof useForm>, 'faults' | 'isBusy' | 'element' | 'submit'>;
  onClose(): void;
  children: ComponentChildren;
  class?: string;
}

/** A dialog with one form: its fields, the error of the whole form, and its buttons. */
export function FormDialog({ title, verb, form, onClose, children, class: given = '' }: FormDialogProps) {
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void form.submit();
  };
  return (
    <Dialog title={title} onClose={onClose} class={given}>
      <form ref={form.element} class="form" onSubmit={onSubmit} noValidate>
        {children}
        <Fault text={form.faults.rest} />
        <div class="actions">
          <Button text={verb} look="primary" type="submit" isOff={form.isBusy} />
          <Button text="Cancel" onClick={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
