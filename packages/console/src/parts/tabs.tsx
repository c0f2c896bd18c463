/** Controls that switch between views. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { Icon, type IconName } from './icon.tsx';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; title: string; count?: number | undefined }[];
  current: Id;
  onChange(id: Id): void;
  /** The content of the current tab. */
  children: ComponentChildren;
}

/** Tabs with arrow keys, as in the ARIA Authoring Practices Guide. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const base = useId();
  // On a phone some tabs are outside the visible part.
  useLayoutEffect(() => {
    document.getElementById(`${base}-${current}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const at = tabs.findIndex(({ id }) => id === current);
    const steps: Record<string, number> = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
    const to = steps[event.key];
    if (to === undefined) return;
    const next = tabs[(to + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map(({ id, title, count }) => (
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
            {title}
            {count !== undefined && <span class="count">{count}</span>}
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
  options: readonly { id: Id; title: string; icon?: IconName }[];
  current: Id;
  onChange(id: Id): void;
  isLegendShown?: boolean;
}

/** A few options side by side. */
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
