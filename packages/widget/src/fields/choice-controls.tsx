/** Picking from options: a list that opens, radio buttons, boxes to tick. Long lists can be filtered. */
import type { FieldOf, Option } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { VisibleText } from '../blocks/visible-text.tsx';
import { controlAttributes, type FieldProps } from '../form/field-props.ts';

/** From so many options on there is a filter. */
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
    const after = picked.includes(option) ? picked.filter((one) => one !== option) : [...picked, option];
    // In the order of the options, whatever the order of the clicks.
    const ordered = field.options.map((one) => one.value).filter((one) => after.includes(one));
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
        <bdi>
          <VisibleText text={option.label} />
        </bdi>
        {option.recommended && <span class="badge">{strings.suggested}</span>}
      </span>
      {option.description && (
        <span class="hint" dir="auto">
          <VisibleText text={option.description} />
        </span>
      )}
    </span>
  );
}
