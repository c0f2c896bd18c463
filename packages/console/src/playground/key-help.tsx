/** Which keys may stand where the caret is. A click puts one there. */
import type { AllowedKey } from './schema-help.ts';

interface KeyHelpProps {
  pointer: string;
  keys: readonly AllowedKey[] | undefined;
  onInsert(key: AllowedKey): void;
}

export function KeyHelp({ pointer, keys, onInsert }: KeyHelpProps) {
  const open = keys?.filter(({ isThere }) => !isThere) ?? [];
  return (
    <section class="key-help" aria-labelledby="key-help">
      <h2 id="key-help">
        Allowed{' '}
        {pointer === '' ? (
          'in the request'
        ) : (
          <>
            in <code>{pointer}</code>
          </>
        )}
      </h2>
      {!keys && <p class="hint">Anything: this part is kept as you send it.</p>}
      {keys && open.length === 0 && <p class="hint">All that may be here is.</p>}
      <ul>
        {open.map((key) => (
          <li key={key.name}>
            <button
              type="button"
              class={key.isRequired ? 'key required' : 'key'}
              aria-label={`Add ${key.name}${key.isRequired ? ', required' : ''}`}
              onClick={() => onInsert(key)}
            >
              {key.name}
            </button>
            <span class="key-takes">{key.takes}</span>
            {key.description && <span class="key-about">{key.description}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
