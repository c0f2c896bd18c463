/** Keys that lead somewhere: g and a letter to a page, / to the search, ? to the sheet that lists them. */
import { useEffect } from 'preact/hooks';
import { go, href } from '../route.ts';
import { places } from './places.ts';

/** Between g and its letter. */
const patienceMs = 1_500;

export function useShortcuts(onHelp: () => void): void {
  useEffect(() => {
    let pressedAt = Number.NEGATIVE_INFINITY;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      if (document.querySelector('dialog[open]')) return;
      const isAfterG = event.timeStamp - pressedAt < patienceMs;
      pressedAt = Number.NEGATIVE_INFINITY;
      const place = isAfterG ? places.find(({ key }) => key === event.key) : undefined;
      if (place) {
        event.preventDefault();
        go(href(place.page));
      } else if (event.key === 'g') pressedAt = event.timeStamp;
      else if (event.key === '?') {
        event.preventDefault();
        onHelp();
      } else if (event.key === '/') {
        const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
        if (!search) return;
        event.preventDefault();
        search.focus();
        search.select();
      }
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [onHelp]);
}

/** Also within the widget's elements, whose insides are seen in the path of the event alone. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
  );
}
