/** Light, dark, or as the system has it; kept in this browser, and told to the widget's elements too. */
import { useEffect, useState } from 'preact/hooks';

export type Theme = 'system' | 'light' | 'dark';

const storedAs = 'holdpoint-console-theme';
const changed = 'holdpoint-theme';

function theme(): Theme {
  const stored = localStorage.getItem(storedAs);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

export function applyTheme(): void {
  document.documentElement.dataset.theme = theme();
}

export function setTheme(to: Theme): void {
  if (to === 'system') localStorage.removeItem(storedAs);
  else localStorage.setItem(storedAs, to);
  applyTheme();
  dispatchEvent(new Event(changed));
}

export function useTheme(): Theme {
  const [current, setCurrent] = useState(theme);
  useEffect(() => {
    const follow = () => {
      applyTheme();
      setCurrent(theme());
    };
    for (const type of [changed, 'storage']) addEventListener(type, follow);
    return () => {
      for (const type of [changed, 'storage']) removeEventListener(type, follow);
    };
  }, []);
  return current;
}

/** The attribute `theme` of the widget's elements: nothing where the system decides. */
export function useWidgetTheme(): { theme?: 'light' | 'dark' } {
  const current = useTheme();
  return current === 'system' ? {} : { theme: current };
}
