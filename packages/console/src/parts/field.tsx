/** A text that is entered: its label, a hint, and what is wrong with it. */
import { defined } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

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
