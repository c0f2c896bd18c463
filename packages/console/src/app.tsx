/** The console: the sign-in page, or a frame with one page in it. */
import { defined } from '@holdpoint/protocol';
import { type ComponentType, Fragment } from 'preact';
import { useRef } from 'preact/hooks';
import { Frame } from './frame/frame.tsx';
import { SignIn } from './frame/sign-in.tsx';
import { useEvents, useLoad } from './load.ts';
import { Page } from './parts/page.tsx';
import { Empty, Failed } from './parts/states.tsx';
import { Toasts } from './parts/toasts.tsx';
import { hasSignedOut } from './preferences.ts';
import { href, parseHash, type Route, useRoute } from './route.ts';
import { signedOutEvent } from './service.ts';
import { type ConsoleSession, forgetTokens, loadSession, signIn } from './session.ts';

type Loaded = ComponentType<{ id?: string }>;

/** `fetch` loads the script ahead of time. */
type LazyPage = Loaded & { fetch(): Promise<void> };

function lazyPage(load: () => Promise<{ default: Loaded }>): LazyPage {
  let Page: Loaded | undefined;
  let loading: Promise<void> | undefined;
  const fetch = () => {
    loading ??= load().then(
      (module) => {
        Page = module.default;
      },
      () => {
        loading = undefined;
        throw new Error('Could not load this page. The server may have been updated or stopped.');
      },
    );
    return loading;
  };
  const Lazy: Loaded = (props) => {
    const { error, isLoading, reload } = useLoad(fetch, []);
    const tries = useRef(0);
    if (Page) return <Page {...props} />;
    if (isLoading) return <div class="page" aria-busy="true" />;
    const retry = () => {
      // A browser remembers that a module failed. Only a reload requests it again.
      if (tries.current > 0) location.reload();
      tries.current += 1;
      reload();
    };
    return (
      <div class="page">
        <Failed error={error} onRetry={retry} />
      </div>
    );
  };
  return Object.assign(Lazy, { fetch });
}

const pages = {
  overview: lazyPage(() => import('./overview/overview-page.tsx')),
  inbox: lazyPage(() => import('./inbox/inbox-page.tsx')),
  threads: lazyPage(() => import('./threads/threads-page.tsx')),
  thread: lazyPage(() => import('./threads/thread-page.tsx')),
  playground: lazyPage(() => import('./playground/playground-page.tsx')),
  deliveries: lazyPage(() => import('./deliveries/deliveries-page.tsx')),
  webhook: lazyPage(() => import('./deliveries/webhook-page.tsx')),
  runs: lazyPage(() => import('./runs/runs-page.tsx')),
  run: lazyPage(() => import('./runs/run-page.tsx')),
  settings: lazyPage(() => import('./settings/settings-page.tsx')),
};

/** Pages that show one record, by the list it belongs to. */
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
  // The inbox keeps its list while the user opens another request. Every other record has its own page.
  return <Page key={name === 'inbox' ? name : `${name} ${id}`} {...defined({ id: id || undefined })} />;
}

const NotFound = () => (
  <Page title="Page not found">
    <Empty title="The address may be incomplete, or from another version." icon="search">
      <a class="button" href={href('overview')}>
        Go to the overview
      </a>
    </Empty>
  </Page>
);

// Loads the script of the page while signing in. If that fails, the page reports it.
const firstPage = nameOf(parseHash(location.hash));
if (firstPage) pages[firstPage].fetch().catch(() => {});

/** On the server's own machine the user is signed in automatically. The frame says so. */
async function enter(): Promise<ConsoleSession> {
  const session = await loadSession();
  if (session.signedIn || !session.mayEnter || hasSignedOut()) return session;
  return signIn().catch(() => session);
}

export function App() {
  const route = useRoute();
  const session = useLoad(enter, []);
  useEvents(window, [signedOutEvent], () => {
    forgetTokens();
    session.reload();
  });
  const { data, error } = session;
  return (
    <>
      {data?.signedIn ? (
        <Frame session={data} current={route.page}>
          {/* A new session loads failed data again. */}
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
