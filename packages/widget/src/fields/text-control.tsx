/** Text in one line or several, passwords, numbers, dates and times. */
import type { FieldOf } from '@holdpoint/protocol';
import { hiddenCharacter } from '@holdpoint/protocol/answers';
import { useEffect, useState } from 'preact/hooks';
import { controlAttributes, type FieldProps } from '../form/field-props.ts';
import { lazily } from '../form/lazily.tsx';
import { fromLocal, toLocal } from './local-time.ts';

const HiddenHint = lazily(() => import('../blocks/marked-text.tsx').then((all) => all.HiddenHint));

type TextField = FieldOf<'text' | 'email' | 'tel' | 'url' | 'textarea' | 'custom'>;

const autocomplete: Record<string, string> = { email: 'email', tel: 'tel', url: 'url' };

export function TextControl(props: FieldProps<TextField>) {
  const { field, value, onChange } = props;
  const shared = {
    ...controlAttributes(props),
    class: 'control',
    dir: 'auto' as const,
    value: value === undefined ? '' : String(value),
    placeholder: field.placeholder,
    onInput: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value || undefined),
  };
  const type = field.type === 'custom' ? 'text' : field.type;
  return (
    <>
      {field.type === 'textarea' ? (
        <textarea {...shared} rows={field.rows ?? 4} />
      ) : (
        <input {...shared} type={type as 'text'} autocomplete={autocomplete[type] ?? 'off'} />
      )}
      {hiddenCharacter.test(shared.value) && <HiddenHint text={shared.value} />}
    </>
  );
}

export function PasswordControl(props: FieldProps<FieldOf<'password'>>) {
  const { field, value, onChange, strings, id } = props;
  const [isShown, show] = useState(false);
  return (
    <div class="joined">
      <input
        {...controlAttributes(props)}
        class="control"
        type={(isShown ? 'text' : 'password') as 'text'}
        autocomplete="off"
        spellcheck={false}
        placeholder={field.placeholder}
        value={value === undefined ? '' : String(value)}
        onInput={(event) => onChange(event.currentTarget.value || undefined)}
      />
      <button type="button" class="quiet" aria-pressed={isShown} aria-controls={id} onClick={() => show(!isShown)}>
        {isShown ? strings.hidePassword : strings.showPassword}
      </button>
    </div>
  );
}

/** Input that is no number stays as text, so that nothing is lost and the check can report it. */
export function NumberControl(props: FieldProps<FieldOf<'number'>>) {
  const { field, value, onChange } = props;
  const read = (text: string) => (text.trim() === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text));
  return (
    <input
      {...controlAttributes(props)}
      class="control"
      type="text"
      inputMode={field.integer && (field.min ?? -1) >= 0 ? 'numeric' : 'decimal'}
      autocomplete="off"
      placeholder={field.placeholder}
      value={value === undefined ? '' : String(value)}
      onChange={(event) => onChange(read(event.currentTarget.value))}
      onInput={(event) => {
        // An unfinished number such as "1." or "-" must not be written back shorter.
        const text = event.currentTarget.value;
        const number = read(text);
        onChange(String(number) === text ? number : text || undefined);
      }}
    />
  );
}

/** The page has had a calendar before. */
let isCalendarKnown = false;

/**
 * The first calendar of a page costs the browser as much as the rest of a form. So the control is a line of text in the
 * same notation until the first paint.
 */
function useCalendar(): boolean {
  const [isReady, setReady] = useState(isCalendarKnown);
  useEffect(() => {
    isCalendarKnown = true;
    setReady(true);
  }, []);
  return isReady;
}

export function CalendarControl(props: FieldProps<FieldOf<'date' | 'time' | 'datetime'>>) {
  const { field, value, onChange } = props;
  const isInstant = field.type === 'datetime';
  const isReady = useCalendar();
  const shown = (text: unknown) => (typeof text !== 'string' ? undefined : isInstant ? toLocal(text) : text);
  return (
    <input
      {...controlAttributes(props)}
      class="control calendar"
      type={(isReady ? (isInstant ? 'datetime-local' : field.type) : 'text') as 'date'}
      min={shown(field.min)}
      max={shown(field.max)}
      value={shown(value) ?? ''}
      onInput={({ currentTarget: { value: text } }) =>
        onChange(text === '' ? undefined : isInstant ? fromLocal(text) : text)
      }
    />
  );
}
