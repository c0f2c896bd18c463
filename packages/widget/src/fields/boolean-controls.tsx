/** A box to tick, and a question of two buttons. */
import type { FieldOf } from '@holdpoint/protocol';
import { VisibleText } from '../blocks/visible-text.tsx';
import { controlAttributes, type FieldProps } from '../form/field-props.ts';

/** Its label stands beside it, so it brings it along. */
export function CheckboxControl(props: FieldProps<FieldOf<'checkbox'>> & { label: preact.ComponentChildren }) {
  const { value, onChange, label } = props;
  return (
    <label class="tick">
      <input
        {...controlAttributes(props)}
        aria-required={undefined}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

export function ConfirmControl({ field, id, value, onChange, strings }: FieldProps<FieldOf<'confirm'>>) {
  const options = [
    [true, field.confirmLabel ?? strings.yes],
    [false, field.denyLabel ?? strings.no],
  ] as const;
  return (
    <div class="segments">
      {options.map(([option, label], index) => (
        <label class="segment" key={label}>
          <input
            type="radio"
            id={index === 0 ? id : undefined}
            name={id}
            checked={value === option}
            onChange={() => onChange(option)}
          />
          <span>
            <bdi>
              <VisibleText text={label} />
            </bdi>
          </span>
        </label>
      ))}
    </div>
  );
}
