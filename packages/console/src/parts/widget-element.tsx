/** An element of the widget, in which the user answers as themselves. Loads the widget on first use. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useMe } from '../me.ts';
import { useWidgetTheme } from '../preferences.ts';
import { personToken } from '../session.ts';

interface WidgetElementProps {
  name: 'holdpoint-request' | 'holdpoint-chat';
  /** Attributes. A changed value creates a new element. */
  of: Readonly<Record<string, string>>;
  /** Called with true when the user begins to answer, and with false when no unsent input is left. */
  onBegun?(isBegun: boolean): void;
  /** Called when the request closes. */
  onClosed?(): void;
}

export function WidgetElement({ name, of, onBegun, onClosed }: WidgetElementProps) {
  const { sessionId } = useMe();
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef({ onBegun, onClosed });
  latest.current = { onBegun, onClosed };
  useLayoutEffect(() => {
    void import('@holdpoint/widget');
    const element = Object.assign(document.createElement(name), { getToken: personToken });
    for (const [attribute, value] of Object.entries({ server: location.origin, ...of }))
      element.setAttribute(attribute, value);
    element.addEventListener('holdpoint-begun', (event) =>
      latest.current.onBegun?.((event as CustomEvent<{ isBegun: boolean }>).detail.isBegun),
    );
    element.addEventListener('holdpoint-closed', () => latest.current.onClosed?.());
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
