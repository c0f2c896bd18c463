/** One of a few, each with what it means. */
import { useId } from 'preact/hooks';

interface ChoicesProps<Value extends string> {
  legend: string;
  options: readonly { value: Value; title: string; does: string }[];
  value: Value;
  onValue(value: NoInfer<Value>): void;
}

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
