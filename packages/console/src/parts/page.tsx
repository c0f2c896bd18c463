/** The head of every page: a heading that takes the focus, the document title, and buttons. And sections of a page. */
import { visibleText } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { href } from '../route.ts';
import { Icon } from './icon.tsx';
import { VisibleText } from './inline.tsx';

interface PageProps {
  title: string;
  /** One sentence about the page. */
  lead?: ComponentChildren;
  /** Buttons and filters next to the heading. */
  actions?: ComponentChildren;
  /** The list this page belongs to. */
  parent?: { page: string; title: string };
  /** wide: the whole width of the window. */
  width?: 'text' | 'wide';
  children: ComponentChildren;
}

/** The first page of a visit leaves the focus to the browser. */
let hasVisited = false;

/** Called by the sign-in page: the page after it is not the first. */
export const markVisited = (): void => {
  hasVisited = true;
};

export function Page({ title, lead, actions, parent, width = 'text', children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${visibleText(title)} · Holdpoint`;
  }, [title]);
  useLayoutEffect(() => {
    if (hasVisited) heading.current?.focus({ preventScroll: true });
    hasVisited = true;
    scrollTo(0, 0);
  }, []);
  return (
    <div class={`page ${width}`}>
      <header class="page-head">
        <div class="page-titles">
          {parent && (
            <a class="page-parent" href={href(parent.page)}>
              <Icon name="back" />
              {parent.title}
            </a>
          )}
          <h1 ref={heading} tabIndex={-1}>
            <VisibleText text={title} />
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

interface SectionProps extends Pick<PageProps, 'title' | 'lead' | 'children'> {
  action?: ComponentChildren;
  /** The tab has the same title. */
  isTitleHidden?: boolean;
}

export const Section = ({ title, lead, action, isTitleHidden = false, children }: SectionProps) => (
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
