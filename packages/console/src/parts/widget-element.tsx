/** An element of the widget, in which the user answers as themselves. Loads the widget on first use. */
import type { Interaction } from '@holdpoint/protocol';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useMe } from '../me.ts';
import { useWidgetTheme } from '../preferences.ts';
import type { Viewing } from '../service.ts';
import { personToken } from '../session.ts';

interface WidgetElementProps {
  name: 'holdpoint-request' | 'holdpoint-chat';
  /** Attributes. A changed value creates a new element. */
  of: Readonly<Record<string, string>>;
  /** Called with true when the user begins to answer, and with false when no unsent input is left. */
  onBegun?(isBegun: boolean): void;
  /** Called when the request closes. */
  onClosed?(): void;
  /** Called when the element begins to follow its request. */
  onOpen?(): void;
  /** Called when somebody opens or leaves the request. */
  onViewing?(viewing: Viewing): void;
  /** Returns false for requests that the element leaves out. */
  mayAnswer?(interaction: Interaction): boolean;
}

export function WidgetElement({ name, of, ...listener }: WidgetElementProps) {
  const { sessionId } = useMe();
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(listener);
  latest.current = listener;
  useLayoutEffect(() => {
    void import('@holdpoint/widget');
    const element = Object.assign(document.createElement(name), {
      getToken: personToken,
      mayAnswer: (interaction: Interaction) => latest.current.mayAnswer?.(interaction) ?? true,
    });
    for (const [attribute, value] of Object.entries({ server: location.origin, ...of }))
      element.setAttribute(attribute, value);
    element.addEventListener('holdpoint-begun', (event) =>
      latest.current.onBegun?.((event as CustomEvent<{ isBegun: boolean }>).detail.isBegun),
    );
    element.addEventListener('holdpoint-closed', () => latest.current.onClosed?.());
    element.addEventListener('holdpoint-open', () => latest.current.onOpen?.());
    element.addEventListener('holdpoint-viewing', (event) =>
      latest.current.onViewing?.((event as CustomEvent<Viewing>).detail),
    );
    box.current?.append(element);
    return () => {
      element.remove();
      latest.current.onBegun?.(false);
    };
  }, [name, JSON.stringify(of), sessionId]);
  // A new theme must not discard what the user entered.
  useWidgetTheme(() => box.current?.firstElementChild);
  return <div class="widget" ref={box} />;
}
