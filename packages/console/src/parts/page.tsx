/** What every page has: a heading that takes the focus when one comes to it, a title of the document, and its buttons. */
import { visibleText } from '@holdpoint/protocol';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { href } from '../route.ts';
import { Icon } from './icon.tsx';
import { VisibleText } from './visible-text.tsx';

interface PageProps {
  title: string;
  /** One line that says what is here. */
  lead?: ComponentChildren;
  /** Buttons and filters beside the heading. */
  actions?: ComponentChildren;
  /** The list that this is one of. */
  parent?: { page: string; title: string };
  /** wide: uses all the room there is. */
  width?: 'text' | 'wide';
  children: ComponentChildren;
}

/** The first page of a visit leaves the focus where the browser has put it. */
let hasVisited = false;

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
