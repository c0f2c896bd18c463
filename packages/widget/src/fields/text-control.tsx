/** Text in one line or several, passwords, numbers, dates and times. */
import type { FieldOf } from '@holdpoint/protocol';
import { hiddenCharacter } from '@holdpoint/protocol/answers';
import { useEffect, useState } from 'preact/hooks';
import { controlAttributes, type FieldProps } from '../form/field-props.ts';
import { lazily } from '../form/lazily.tsx';
import { fromLocal, toLocal } from './local-time.ts';

const HiddenHint = lazily(() => import('../blocks/marked-text.tsx').then((all) => all.HiddenHint));

type TextField = FieldOf<'text' | 'email' | 'tel' | 'url' | 'textarea' | 'custom'>;

/** The browser knows the person's values for these. */
const completed = new Set<string>(['email', 'tel', 'url']);

const typingAttributes = (props: FieldProps<TextField | FieldOf<'password' | 'number'>>) => ({
  ...controlAttributes(props),
  class: 'control',
  autocomplete: 'off',
  placeholder: props.field.placeholder,
  value: props.value === undefined ? '' : String(props.value),
  onInput: (event: { currentTarget: { value: string } }) => props.onChange(event.currentTarget.value || undefined),
});

export function TextControl(props: FieldProps<TextField>) {
  const { field } = props;
  const shared = { ...typingAttributes(props), dir: 'auto' as const };
  const type = field.type === 'custom' ? 'text' : field.type;
  return (
    <>
      {field.type === 'textarea' ? (
        <textarea {...shared} autocomplete="on" rows={field.rows ?? 4} />
      ) : (
        <input {...shared} type={type as 'text'} autocomplete={completed.has(type) ? type : 'off'} />
      )}
      {hiddenCharacter.test(shared.value) && <HiddenHint text={shared.value} />}
    </>
  );
}

export function PasswordControl(props: FieldProps<FieldOf<'password'>>) {
  const { strings, id } = props;
  const [isShown, show] = useState(false);
  return (
    <div class="joined">
      <input {...typingAttributes(props)} type={(isShown ? 'text' : 'password') as 'text'} spellcheck={false} />
      <button type="button" class="quiet" aria-pressed={isShown} aria-controls={id} onClick={() => show(!isShown)}>
        {isShown ? strings.hidePassword : strings.showPassword}
      </button>
    </div>
  );
}

/** Input that is no number stays as text, so that nothing is lost and the check can report it. */
export function NumberControl(props: FieldProps<FieldOf<'number'>>) {
  const { field, onChange } = props;
  const read = (text: string) => (text.trim() === '' ? undefined : Number.isNaN(Number(text)) ? text : Number(text));
  return (
    <input
      {...typingAttributes(props)}
      type="text"
      inputMode={field.integer && (field.min ?? -1) >= 0 ? 'numeric' : 'decimal'}
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
