/** Controls that switch between views. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface TabsProps<Id extends string> {
  label: string;
  /** Titles by id, in their order. */
  tabs: Readonly<Record<Id, string>>;
  current: NoInfer<Id>;
  onChange(id: NoInfer<Id>): void;
  /** The content of the current tab. */
  children: ComponentChildren;
}

/** Tabs with arrow keys, as in the ARIA Authoring Practices Guide. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const base = useId();
  const ids = Object.keys(tabs) as Id[];
  // On a phone some tabs are outside the visible part.
  useLayoutEffect(() => {
    document.getElementById(`${base}-${current}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = ids.indexOf(current);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 };
    const next = ids.at((steps[event.key] ?? Number.NaN) % ids.length);
    if (!(event.key in steps) || next === undefined) return;
    event.preventDefault();
    onChange(next);
    document.getElementById(`${base}-${next}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {ids.map((id) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === current}
            aria-controls={`${base}-panel`}
            tabIndex={id === current ? 0 : -1}
            onClick={() => onChange(id)}
          >
            {tabs[id]}
          </button>
        ))}
      </div>
      <div id={`${base}-panel`} class="tab-panel" role="tabpanel" aria-labelledby={`${base}-${current}`}>
        {children}
      </div>
    </div>
  );
}

interface SegmentsProps<Id extends string> {
  legend: string;
  name: string;
  /** Titles by id, in their order. */
  options: Readonly<Record<Id, string>>;
  icons?: Readonly<Record<NoInfer<Id>, IconName>>;
  current: NoInfer<Id>;
  onChange(id: NoInfer<Id>): void;
  isLegendShown?: boolean;
}

/** A few options side by side. */
export function Segments<Id extends string>(props: SegmentsProps<Id>) {
  const { legend, name, options, icons, current, onChange, isLegendShown = false } = props;
  return (
    <fieldset class="segments-field">
      <legend class={isLegendShown ? 'legend' : 'visually-hidden'}>{legend}</legend>
      <div class="segments">
        {(Object.keys(options) as Id[]).map((id) => (
          <label key={id}>
            <input type="radio" name={name} checked={id === current} onChange={() => onChange(id)} />
            <span>
              {icons && <Icon name={icons[id]} />}
              {options[id]}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
