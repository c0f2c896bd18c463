/** Keyboard shortcuts, and the dialog that lists them. */
import { useRef } from 'preact/hooks';
import { useEvents } from '../load.ts';
import { type Myself, useMe } from '../me.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Fact } from '../parts/table.tsx';
import { go, href } from '../route.ts';
import { placesFor } from './places.ts';

/** The longest time between g and its letter. */
const patienceMs = 1_500;

/** g and a letter opens a page, / focuses the search, ? opens the list of shortcuts. */
export function useShortcuts(me: Myself, onHelp: () => void): void {
  const pressedAt = useRef(Number.NEGATIVE_INFINITY);
  useEvents<KeyboardEvent>(window, ['keydown'], (event) => {
    if (isTaken(event) || isTyping(event)) return;
    const isAfterG = event.timeStamp - pressedAt.current < patienceMs;
    pressedAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const place = isAfterG ? placesFor(me).find(({ key }) => key === event.key) : undefined;
    if (place) go(href(place.page));
    else if (event.key === '?') onHelp();
    else if (event.key !== '/' || !focusSearch()) return;
    event.preventDefault();
  });
}

function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('main input[type="search"]');
  search?.focus();
  search?.select();
  return search !== null;
}

/** Another handler, the browser or an open dialog uses the key. */
export const isTaken = ({ defaultPrevented, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean =>
  defaultPrevented || ctrlKey || metaKey || altKey || document.querySelector('dialog[open]') !== null;

/** Inside the widget's elements only the composed path shows the focused control. */
export function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type="checkbox"], [type="radio"]), textarea, select'))
  );
}

type Shortcut = readonly [keys: readonly string[], does: string];

const everywhere: readonly Shortcut[] = [
  [['/'], 'Search this page'],
  [['?'], 'Show shortcuts'],
  [['↑', '↓'], 'Move through a list'],
  [['Enter'], 'Open the focused row'],
  [['Esc'], 'Close a dialog'],
];

const inTheInbox: readonly Shortcut[] = [
  [['j'], 'Next request'],
  [['k'], 'Previous request'],
  [['x'], 'Select it'],
  [['a'], 'Approve the selected requests'],
];

export function Help({ onClose }: { onClose(): void }) {
  const places = placesFor(useMe());
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} class="help">
      <div class="help-columns">
        <Section title="Go to" keys={places.map(({ key, title }) => [['g', key], title])} />
        <div class="help-column">
          <Section title="Everywhere" keys={everywhere} />
          <Section title="In the inbox" keys={inTheInbox} />
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

const Section = ({ title, keys }: { title: string; keys: readonly Shortcut[] }) => (
  <section>
    <h3>{title}</h3>
    <Keys keys={keys} />
  </section>
);

export const Keys = ({ keys }: { keys: readonly Shortcut[] }) => (
  <dl class="keys">
    {keys.map(([pressed, does]) => (
      <Fact key={does} name={pressed.map((each) => <kbd key={each}>{each}</kbd>)} value={does} />
    ))}
  </dl>
);
