/** Keyboard shortcuts, and the dialog that lists them. */

import { useEffect } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import type { IconName } from '../parts/icon.tsx';
import { go, href } from '../route.ts';

export interface Place {
  page: string;
  title: string;
  /** Shown on narrow screens. */
  short?: string;
  icon: IconName;
  /** Pressed after g. */
  key: string;
}

/** The pages in the order of the navigation. */
export const places: readonly Place[] = [
  { page: 'overview', title: 'Overview', icon: 'overview', key: 'o' },
  { page: 'inbox', title: 'Inbox', icon: 'inbox', key: 'i' },
  { page: 'threads', title: 'Threads', icon: 'threads', key: 't' },
  { page: 'runs', title: 'Runs', icon: 'runs', key: 'r' },
  { page: 'playground', title: 'Playground', short: 'Play', icon: 'playground', key: 'p' },
  { page: 'deliveries', title: 'Deliveries', icon: 'deliveries', key: 'd' },
  { page: 'settings', title: 'Settings', icon: 'settings', key: 's' },
];

/** The longest time between g and its letter. */
const patienceMs = 1_500;

/** g and a letter opens a page, / focuses the search, ? opens the list of shortcuts. */
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

/** Inside the widget's elements only the composed path shows the focused control. */
function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
  );
}

const others: readonly [string[], string][] = [
  [['/'], 'Search this page'],
  [['?'], 'Show shortcuts'],
  [['↑', '↓'], 'Move through a list'],
  [['Enter'], 'Open the focused row'],
  [['Esc'], 'Close a dialog'],
];

const ofTheInbox: readonly [string[], string][] = [
  [['j'], 'Next request'],
  [['k'], 'Previous request'],
  [['x'], 'Select it'],
  [['a'], 'Approve the selected requests'],
];

export function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} class="help">
      <div class="help-columns">
        <Keys title="Go to" keys={places.map(({ key, title }): [string[], string] => [['g', key], title])} />
        <div class="help-column">
          <Keys title="Everywhere" keys={others} />
          <Keys title="In the inbox" keys={ofTheInbox} />
        </div>
      </div>
      <p class="hint">Shortcuts are off while you type.</p>
      <p class="help-links">
        <a href="/docs" target="_blank" rel="noreferrer">
          API reference
        </a>
      </p>
    </Dialog>
  );
}

function Keys({ title, keys }: { title: string; keys: readonly (readonly [string[], string])[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="keys">
        {keys.map(([pressed, does]) => (
          <div key={does}>
            <dt>
              {pressed.map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
