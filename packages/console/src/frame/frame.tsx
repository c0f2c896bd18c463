/** What is around every page: where one can go, how many questions wait, who one is, and the keys. */
import type { ComponentChildren } from 'preact';
import { useCallback, useState } from 'preact/hooks';
import { useMe } from '../me.ts';
import { Icon } from '../parts/icon.tsx';
import { href } from '../route.ts';
import type { ConsoleSession } from '../session.ts';
import { Help } from './help.tsx';
import { usePendingCount } from './pending-count.ts';
import { places } from './places.ts';
import { useShortcuts } from './shortcuts.ts';

interface FrameProps {
  session: ConsoleSession & { signedIn: true };
  /** The page that is shown. */
  current: string;
  children: ComponentChildren;
}

export function Frame({ session, current, children }: FrameProps) {
  const [hasHelp, setHelp] = useState(false);
  const showHelp = useCallback(() => setHelp(true), []);
  useShortcuts(showHelp);
  const pending = usePendingCount();
  const name = useMe();
  return (
    <div class="frame">
      {/* Its own script moves the focus: a # of its own would be another page. */}
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}>
        Skip to the page
      </button>
      <header class="side">
        <a class="brand" href={href('overview')}>
          <img src="/console/icon.svg" alt="" width="24" height="24" />
          Holdpoint
        </a>
        <nav aria-label="Console">
          <ul>
            {places.map(({ page, title, short = title, icon, key }) => (
              <li key={page}>
                <a href={href(page)} aria-current={page === current ? 'page' : undefined} title={`${title} (g ${key})`}>
                  <Icon name={icon} />
                  <span class="place">{title}</span>
                  <span class="place-short">{short}</span>
                  {page === 'inbox' && pending !== undefined && pending > 0 && (
                    <span class="count">
                      {pending > 9_999 ? '9,999+' : pending.toLocaleString('en')}
                      <span class="visually-hidden"> waiting</span>
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div class="side-end">
          {session.isLocal && (
            <p class="local">
              <Icon name="done" />
              <span>Signed in because you are on this machine.</span>
            </p>
          )}
          <button type="button" class="side-button" onClick={showHelp}>
            <Icon name="help" />
            Shortcuts
            <kbd>?</kbd>
          </button>
          <a class="side-button" href={href('settings', undefined, { tab: 'you' })}>
            <span class="avatar" aria-hidden="true">
              {name.slice(0, 1).toUpperCase()}
            </span>
            <span class="side-name">
              {name}
              <span class="side-org">{session.orgId}</span>
            </span>
          </a>
        </div>
      </header>
      <main>{children}</main>
      {hasHelp && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}
