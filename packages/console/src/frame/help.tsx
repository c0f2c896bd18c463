/** The sheet that lists the keys. */
import { Dialog } from '../parts/dialog.tsx';
import { places } from './places.ts';

const others: readonly [string[], string][] = [
  [['/'], 'Search this page'],
  [['?'], 'Show this sheet'],
  [['↑', '↓'], 'Move in a list'],
  [['Enter'], 'Open what is picked'],
  [['Esc'], 'Close a dialog'],
];

const ofTheInbox: readonly [string[], string][] = [
  [['j'], 'Next question'],
  [['k'], 'The one before'],
  [['x'], 'Pick it'],
  [['a'], 'Approve what is picked'],
];

export function Help({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} class="help">
      <div class="help-columns">
        <Keys title="Go to" keys={places.map(({ key, title }): [string[], string] => [['g', key], title])} />
        <div class="help-column">
          <Keys title="Anywhere" keys={others} />
          <Keys title="In the inbox" keys={ofTheInbox} />
        </div>
      </div>
      <p class="hint">They do nothing while you type in a field.</p>
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
