/** A few choices side by side, of which one holds. */
import { Icon, type IconName } from './icon.tsx';

interface SegmentsProps<Id extends string> {
  legend: string;
  name: string;
  options: readonly { id: Id; title: string; icon?: IconName }[];
  current: Id;
  onChange(id: Id): void;
  isLegendShown?: boolean;
}

export function Segments<Id extends string>(props: SegmentsProps<Id>) {
  const { legend, name, options, current, onChange, isLegendShown = false } = props;
  return (
    <fieldset class="segments-field">
      <legend class={isLegendShown ? 'legend' : 'visually-hidden'}>{legend}</legend>
      <div class="segments">
        {options.map(({ id, title, icon }) => (
          <label key={id}>
            <input type="radio" name={name} checked={id === current} onChange={() => onChange(id)} />
            <span>
              {icon && <Icon name={icon} />}
              {title}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
