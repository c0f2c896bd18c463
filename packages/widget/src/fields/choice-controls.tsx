/** Controls made of boxes and buttons: options, yes or no, and ratings. Long lists of options have a filter. */
import type { FieldOf, Option } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { OwnText, VisibleText } from '../blocks/untrusted.tsx';
import { controlAttributes, type FieldProps } from '../form/field-props.ts';

/** A list of this many options gets a filter. */
const manyOptions = 12;

export function SelectControl(props: FieldProps<FieldOf<'select'>>) {
  const { field, value, onChange, strings } = props;
  return (
    <select
      {...controlAttributes(props)}
      class="control"
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onChange(event.currentTarget.value || undefined)}
    >
      <option value="">{field.required ? strings.choose : strings.noChoice}</option>
      {field.options.map((option) => (
        <option key={option.value} value={option.value} dir="auto">
          <VisibleText isPlain text={option.recommended ? `${option.label} (${strings.suggested})` : option.label} />
        </option>
      ))}
    </select>
  );
}

export function RadioControl({ field, id, value, onChange, strings }: FieldProps<FieldOf<'radio'>>) {
  return (
    <OptionList
      {...{ id, strings, options: field.options }}
      type="radio"
      isPicked={(option) => option === value}
      pick={(option) => onChange(option === value && !field.required ? undefined : option)}
    />
  );
}

export function MultiSelectControl({ field, id, value, onChange, strings }: FieldProps<FieldOf<'multi_select'>>) {
  const picked = Array.isArray(value) ? (value as string[]) : [];
  const pick = (option: string) => {
    // In the order of the options, not of the clicks.
    const ordered = field.options.map(({ value }) => value).filter((one) => picked.includes(one) !== (one === option));
    onChange(ordered.length === 0 ? undefined : ordered);
  };
  return (
    <OptionList
      {...{ id, strings, options: field.options, pick }}
      type="checkbox"
      isPicked={(option) => picked.includes(option)}
      note={picked.length > 0 ? strings.selected(picked.length) : undefined}
    />
  );
}

interface OptionListProps {
  id: string;
  type: 'radio' | 'checkbox';
  options: readonly Option[];
  isPicked(value: string): boolean;
  pick(value: string): void;
  note?: string | undefined;
  strings: FieldProps['strings'];
}

function OptionList({ id, type, options, isPicked, pick, note, strings }: OptionListProps) {
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const shown = wanted === '' ? options : options.filter(({ label }) => label.toLowerCase().includes(wanted));
  return (
    <div class="options">
      {options.length >= manyOptions && (
        <input
          class="control filter"
          type="search"
          aria-label={strings.filterOptions}
          placeholder={strings.filterOptions}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
      )}
      <div class={options.length >= manyOptions ? 'option-scroll' : undefined}>
        {shown.map((option, index) => (
          <label class="option" key={option.value}>
            <input
              type={type}
              id={index === 0 ? id : undefined}
              name={id}
              checked={isPicked(option.value)}
              onClick={() => pick(option.value)}
            />
            <OptionText option={option} strings={strings} />
          </label>
        ))}
        {shown.length === 0 && <p class="hint">{strings.noOptionFound}</p>}
      </div>
      <p class="hint" role="status">
        {note}
      </p>
    </div>
  );
}

export function OptionText({ option, strings }: { option: Option; strings: FieldProps['strings'] }) {
  return (
    <span class="option-text">
      <span>
        <OwnText text={option.label} />
        {option.recommended && <span class="badge">{strings.suggested}</span>}
      </span>
      {option.description && <OwnText tag="span" class="hint" text={option.description} />}
    </span>
  );
}

/** The label is part of this control. */
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

export function ConfirmControl({ field, strings, onChange, ...rest }: FieldProps<FieldOf<'confirm'>>) {
  const options = [
    [true, field.confirmLabel ?? strings.yes],
    [false, field.denyLabel ?? strings.no],
  ] as const;
  return <Segments {...rest} options={options} onPick={onChange} />;
}

interface SegmentsProps<V> {
  id: string;
  options: readonly (readonly [value: V, label: string])[];
  value: unknown;
  onPick(value: V): void;
}

/** A choice between a few short options, shown as joined buttons. */
export const Segments = <V,>({ id, options, value, onPick }: SegmentsProps<V>) => (
  <div class="segments">
    {options.map(([option, label], index) => (
      <label class="segment" key={label}>
        <input
          type="radio"
          id={index === 0 ? id : undefined}
          name={id}
          checked={value === option}
          onChange={() => onPick(option)}
        />
        <span>
          <OwnText text={label} />
        </span>
      </label>
    ))}
  </div>
);

const defaultStars = 5;
const shapes = {
  star: 'M12 2.6l2.9 5.9 6.5.9-4.7 4.6 1.1 6.5-5.8-3-5.8 3 1.1-6.5L2.6 9.4l6.5-.9z',
  heart:
    'M12 20.5s-7.8-4.7-9.3-9.3C1.5 7.4 4 4.5 7 4.5c2 0 3.7 1.1 5 3 1.300-1.900 3-3 5-3 3 0 5.500 2.900 4.300 6.700-1.500 4.600-9.300 9.300-9.300 9.300z',
  thumb:
    'M2 10.500h4V21H2zM7.500 21h9.300c1.200 0 2.200-.8 2.500-2l1.600-6c.3-1.300-.6-2.500-2-2.500H14V6c0-1.700-1-3-2.500-3-.6 0-1 .4-1 1v2.500l-3 4.500z',
} as const;

export function RatingControl({ field, id, value, onChange, strings }: FieldProps<FieldOf<'rating'>>) {
  const max = field.maxStars ?? defaultStars;
  const [hovered, hover] = useState(0);
  const lit = hovered || (typeof value === 'number' ? value : 0);
  return (
    <div class="rating" onMouseLeave={() => hover(0)}>
      {Array.from({ length: max }, (_, index) => {
        const stars = index + 1;
        return (
          <label class={stars <= lit ? 'star lit' : 'star'} key={stars} onMouseEnter={() => hover(stars)}>
            <input
              type="radio"
              id={index === 0 ? id : undefined}
              name={id}
              aria-label={strings.ratingOf(stars, max)}
              checked={value === stars}
              onChange={() => onChange(stars)}
            />
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={shapes[field.ratingIcon ?? 'star']} />
            </svg>
          </label>
        );
      })}
      {!field.required && value !== undefined && (
        <button type="button" class="quiet" onClick={() => onChange(undefined)}>
          {strings.clear}
        </button>
      )}
    </div>
  );
}
