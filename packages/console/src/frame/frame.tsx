/** The frame around every page: navigation, the number of pending requests, and the user. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useEvents, useEvery, useLoad } from '../load.ts';
import { Icon } from '../parts/icon.tsx';
import { useUserName } from '../preferences.ts';
import { href } from '../route.ts';
import { service } from '../service.ts';
import type { ConsoleSession } from '../session.ts';
import { Help, places, useShortcuts } from './shortcuts.tsx';

interface FrameProps {
  session: ConsoleSession & { signedIn: true };
  current: string;
  children: ComponentChildren;
}

export function Frame({ session, current, children }: FrameProps) {
  const [hasHelp, setHelp] = useState(false);
  const showHelp = () => setHelp(true);
  useShortcuts(showHelp);
  const pending = usePendingCount();
  const name = useUserName();
  return (
    <div class="frame">
      {/* A script moves the focus, because a link with # would open another page. */}
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('main h1')?.focus()}>
        Skip to content
      </button>
      <header class="side">
        <a class="brand" href={href('overview')}>
          <img src="/console/icon.svg" alt="" width="24" height="24" />
          Holdpoint
        </a>
        <nav aria-label="Console">
          <ul>
            {places.map(({ page, title, short = title, key }) => (
              <li key={page}>
                <a href={href(page)} aria-current={page === current ? 'page' : undefined} title={`${title} (g ${key})`}>
                  <Icon name={page} />
                  <span class="place">{title}</span>
                  <span class="place-short">{short}</span>
                  {page === 'inbox' && pending !== undefined && pending > 0 && (
                    <span class="count">
                      {pending > 9_999 ? '9,999+' : pending.toLocaleString('en')}
                      <span class="visually-hidden"> pending</span>
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
              <span>Signed in automatically (local machine)</span>
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

const everyMs = 5_000;

/** Counts pending requests every five seconds, and right after the user answers one. The page reports an error. */
function usePendingCount(): number | undefined {
  const { data, reload } = useLoad(() => service.countInteractions({ status: 'pending' }), []);
  useEvery(everyMs, reload);
  useEvents(document, ['holdpoint-closed', 'holdpoint-asked'], reload);
  return data?.count;
}
