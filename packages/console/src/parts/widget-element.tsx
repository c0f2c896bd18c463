/** One of the widget's elements, with tokens of the console's own. The widget is fetched when the first is shown. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useWidgetTheme } from '../theme.ts';

interface WidgetElementProps {
  name: 'holdpoint-request' | 'holdpoint-chat';
  /** Attributes; another value makes another element. */
  of: Readonly<Record<string, string>>;
  getToken(): Promise<string>;
}

export function WidgetElement({ name, of, getToken }: WidgetElementProps) {
  const box = useRef<HTMLDivElement>(null);
  const latest = useRef(getToken);
  latest.current = getToken;
  const { theme } = useWidgetTheme();
  useLayoutEffect(() => {
    void import('@holdpoint/widget');
    const element = Object.assign(document.createElement(name), { getToken: () => latest.current() });
    for (const [attribute, value] of Object.entries({ server: location.origin, ...of }))
      element.setAttribute(attribute, value);
    box.current?.append(element);
    return () => element.remove();
  }, [name, JSON.stringify(of)]);
  // Another theme leaves what was entered.
  useLayoutEffect(() => {
    const element = box.current?.firstElementChild;
    if (theme) element?.setAttribute('theme', theme);
    else element?.removeAttribute('theme');
  });
  return <div class="widget" ref={box} />;
}
