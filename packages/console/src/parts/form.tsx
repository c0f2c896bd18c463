/** Forms: text fields, radio buttons, and submitting with errors shown beside their fields. */
import { defined } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useId, useRef, useState } from 'preact/hooks';

import { type FormFaults, faultsOf, noFaults } from '../error-text.ts';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  value: string;
  onValue(value: string): void;
  type?: 'text' | 'url' | 'password' | 'datetime-local';
  autocomplete?: 'off' | 'nickname' | 'current-password';
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

/** Submits a form once at a time and shows the errors of the server. */
export function useSubmit(names: readonly string[], send: () => Promise<unknown>) {
  const [faults, setFaults] = useState<FormFaults>(noFaults);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      await send();
      setFaults(noFaults);
    } catch (error) {
      setFaults(faultsOf(error, names));
      // After the render, focuses the first invalid field or the error of the whole form.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid], [role="alert"]')?.focus());
    } finally {
      setBusy(false);
    }
  };
  return { faults, isBusy, form, submit };
}

interface FormActionsProps {
  verb: string;
  faults: FormFaults;
  isBusy: boolean;
  onCancel(): void;
}

/** The end of a form: the error of the whole form, and its buttons. */
export function FormActions({ verb, faults, isBusy, onCancel }: FormActionsProps) {
  return (
    <>
      {faults.rest && (
        <p class="fault" role="alert" tabIndex={-1}>
          {faults.rest}
        </p>
      )}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={isBusy}>
          {verb}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </>
  );
}
