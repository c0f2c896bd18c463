/** Tabs: arrows move between them, as the pattern of the ARIA guide has it. */
import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; title: string; count?: number | undefined }[];
  current: Id;
  onChange(id: Id): void;
  /** What the current tab shows. */
  children: ComponentChildren;
}

export function Tabs<Id extends string>({ label, tabs, current, onChange, children }: TabsProps<Id>) {
  const base = useId();
  // On a phone not all of them fit beside each other.
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
