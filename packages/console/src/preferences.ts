/** The setting that is kept in this browser: the theme. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { useEvents } from './load.ts';

const changed = 'holdpoint-preferences';

function save(key: string, value: string | undefined): void {
  if (value === undefined) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
  dispatchEvent(new Event(changed));
}

/** Follows a setting. The storage event reports changes made in another tab. */
function usePreference<T>(read: () => T): T {
  const [value, setValue] = useState(read);
  useEvents(window, [changed, 'storage'], () => setValue(read()));
  return value;
}

export type Theme = 'system' | 'light' | 'dark';
const themeKey = 'holdpoint-console-theme';

function theme(): Theme {
  const stored = localStorage.getItem(themeKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function showTheme(): void {
  document.documentElement.dataset.theme = theme();
}

export function applyTheme(): void {
  showTheme();
  for (const type of [changed, 'storage']) addEventListener(type, showTheme);
}

export const setTheme = (to: Theme): void => save(themeKey, to === 'system' ? undefined : to);
export const useTheme = (): Theme => usePreference(theme);

/** Sets the `theme` attribute of a widget's element. Without it the element follows the system. */
export function useWidgetTheme(element: () => Element | null | undefined): void {
  const current = useTheme();
  useLayoutEffect(() => {
    if (current === 'system') element()?.removeAttribute('theme');
    else element()?.setAttribute('theme', current);
  });
}
