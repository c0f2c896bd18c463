/** The console: who is not signed in signs in; the rest is a frame with one page in it. */
import { defined } from '@holdpoint/protocol';
import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { Frame } from './frame/frame.tsx';
import { lazyPage } from './frame/lazy-page.tsx';
import { hasLeft } from './left.ts';
import { useLoad } from './load.ts';
import { forgetTokens } from './me.ts';
import { NotFound } from './pages/not-found.tsx';
import { SignIn } from './pages/sign-in.tsx';
import { Failed } from './parts/states.tsx';
import { Toasts } from './parts/toasts.tsx';
import { parseHash, type Route, useRoute } from './route.ts';
import { signedOutEvent } from './service.ts';
import { type ConsoleSession, loadSession, signIn } from './session.ts';

const pages = {
  overview: lazyPage(() => import('./pages/overview.tsx')),
  inbox: lazyPage(() => import('./pages/inbox.tsx')),
  threads: lazyPage(() => import('./pages/threads.tsx')),
  thread: lazyPage(() => import('./pages/thread.tsx')),
  playground: lazyPage(() => import('./pages/playground.tsx')),
  deliveries: lazyPage(() => import('./pages/deliveries.tsx')),
  webhook: lazyPage(() => import('./pages/webhook.tsx')),
  runs: lazyPage(() => import('./pages/runs.tsx')),
  run: lazyPage(() => import('./pages/run.tsx')),
  settings: lazyPage(() => import('./pages/settings.tsx')),
};

/** The pages of one thing, where an address names it. */
const pagesOfOne: Record<string, keyof typeof pages> = { threads: 'thread', deliveries: 'webhook', runs: 'run' };

function nameOf({ page, id }: Route): keyof typeof pages | undefined {
  const name = (id && pagesOfOne[page]) || page;
  return Object.hasOwn(pages, name) ? (name as keyof typeof pages) : undefined;
}

function pageOf(route: Route) {
  const name = nameOf(route);
  if (!name) return <NotFound key="not-found" />;
  const Page = pages[name];
  const { id } = route;
  // The inbox shows its list beside what is picked, so it stays; every other thing has a page of its own.
  return <Page key={name === 'inbox' ? name : `${name} ${id}`} {...defined({ id: id || undefined })} />;
}

// The script of the page comes while one is being signed in; if it does not, the page says so.
const firstPage = nameOf(parseHash(location.hash));
if (firstPage) pages[firstPage].fetch().catch(() => {});

/** On the server's own machine one is signed in at once, and the frame says so. */
async function enter(): Promise<ConsoleSession> {
  const session = await loadSession();
  if (session.signedIn || !session.mayEnter || hasLeft()) return session;
  return signIn().catch(() => session);
}

export function App() {
  const route = useRoute();
  const session = useLoad(enter, []);
  useEffect(() => {
    const onSignedOut = () => {
      forgetTokens();
      session.reload();
    };
    addEventListener(signedOutEvent, onSignedOut);
    return () => removeEventListener(signedOutEvent, onSignedOut);
  }, []);
  const { data, error } = session;
  return (
    <>
      {data?.signedIn ? (
        <Frame session={data} current={route.page}>
          {/* In another session what had failed is loaded anew. */}
          <Fragment key={data.expiresAt}>{pageOf(route)}</Fragment>
        </Frame>
      ) : data ? (
        <SignIn mayEnter={data.mayEnter} onEntered={session.reload} />
      ) : (
        error !== undefined && (
          <main class="alone">
            <Failed error={error} onRetry={session.reload} />
          </main>
        )
      )}
      <Toasts />
    </>
  );
}
