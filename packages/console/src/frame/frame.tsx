/** The frame around every page: navigation, the number of pending requests, and the user. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useEvents, useEvery, useLoad } from '../load.ts';
import { rolesOf, useMe } from '../me.ts';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/inline.tsx';
import { href } from '../route.ts';
import { service } from '../service.ts';
import { Offline } from './offline.tsx';
import { placesFor } from './places.ts';
import { Help, useShortcuts } from './shortcuts.tsx';

interface FrameProps {
  current: string;
  children: ComponentChildren;
}

export function Frame({ current, children }: FrameProps) {
  const me = useMe();
  const [hasHelp, setHelp] = useState(false);
  const showHelp = () => setHelp(true);
  useShortcuts(me, showHelp);
  const pending = usePendingCount();
  const { name } = me.person;
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
            {placesFor(me).map(({ page, icon, title, short = title, key }) => (
              <li key={page} class={`to-${page}`}>
                <a href={href(page)} aria-current={page === current ? 'page' : undefined} title={`${title} (g ${key})`}>
                  <Icon name={icon} />
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
          <button type="button" class="side-button" onClick={showHelp}>
            <Icon name="help" />
            Shortcuts
            <kbd>?</kbd>
          </button>
          <a class="side-button" href={href('settings', undefined, { tab: 'you' })}>
            <span class="avatar" aria-hidden="true">
              {initialOf(name)}
            </span>
            <span class="side-name">
              <VisibleText text={name} />
              <span class="side-role">
                {rolesOf(me.person)}
                <span class="visually-hidden">, your profile</span>
              </span>
            </span>
          </a>
          {me.seesOrg && (
            <a class="side-button narrow-only" href={href('settings')} aria-label="Settings">
              <Icon name="settings" />
            </a>
          )}
        </div>
      </header>
      <main>{children}</main>
      <Offline />
      {hasHelp && <Help onClose={() => setHelp(false)} />}
    </div>
  );
}

/** The first letter of a name, also if it is an emoji. */
const initialOf = (name: string): string => (name.match(/\p{L}|\p{Extended_Pictographic}/u)?.[0] ?? '?').toUpperCase();

const everyMs = 5_000;

/** Counts pending requests every five seconds, and right after the user answers one. The page reports an error. */
function usePendingCount(): number | undefined {
  const { data, reload } = useLoad(() => service.countInteractions({ status: 'pending' }), []);
  useEvery(everyMs, reload);
  useEvents(document, ['holdpoint-closed', 'holdpoint-asked'], reload);
  return data?.count;
}
