/** One of the widget's elements, with tokens of the console's own. The widget is fetched when the first is shown. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWidgetTheme } from '../theme.ts';

interface WidgetElementProps {
  name: 'holdpoint-request' | 'holdpoint-chat';
  /** Attributes; another value makes another element. */
  of: Readonly<Record<string, string>>;
  getToken(): Promise<string>;
  /** Called with true when the person begins to answer, and with false when no unaccepted input of theirs is left. */
  onBegun?(isBegun: boolean): void;
  /** Called when the question is closed. */
  onClosed?(): void;
}

export function WidgetElement({ name, of, getToken, onBegun, onClosed }: WidgetElementProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef({ getToken, onBegun, onClosed });
  latest.current = { getToken, onBegun, onClosed };
  const { theme } = useWidgetTheme();
  useLayoutEffect(() => {
    void import('@holdpoint/widget');
    const element = Object.assign(document.createElement(name), { getToken: () => latest.current.getToken() });
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
  }, [name, JSON.stringify(of)]);
  // Another theme leaves what was entered.
  useLayoutEffect(() => {
    const element = box.current?.firstElementChild;
    if (theme) element?.setAttribute('theme', theme);
    else element?.removeAttribute('theme');
  });
  return <div class="widget" ref={box} />;
}
