/** One part of the settings: what it is for, the button that adds to it, and a card. */
import type { ComponentChildren } from 'preact';

interface SectionProps {
  title: string;
  lead: ComponentChildren;
  action?: ComponentChildren;
  /** The tab says it already. */
  isTitleHidden?: boolean;
  children: ComponentChildren;
}

export function Section({ title, lead, action, isTitleHidden = false, children }: SectionProps) {
  return (
    <section class="section">
      <header class="section-head">
        <div>
          <h2 class={isTitleHidden ? 'visually-hidden' : ''}>{title}</h2>
          <p class="muted">{lead}</p>
        </div>
        {action}
      </header>
      <div class="card">{children}</div>
    </section>
  );
}
