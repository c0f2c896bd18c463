/** The console: the sign-in page, or a frame with one page in it. */
import { defined, type Person } from '@holdpoint/protocol';
import { type ComponentType, Fragment } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Frame } from './frame/frame.tsx';
import { mayOpen } from './frame/places.ts';
import { forgetWanted, SignIn } from './frame/sign-in.tsx';
import { useEvents, useLoad } from './load.ts';
import { MeProvider, type Myself, myself } from './me.ts';
import { Page } from './parts/page.tsx';
import { Empty, Failed } from './parts/states.tsx';
import { Toasts } from './parts/toasts.tsx';
import { href, parseHash, type Route, useRoute } from './route.ts';
import { personEvent, sessionEvent } from './service.ts';
import { forgetToken, hasSignedOut, isSessionChange, loadSession, rememberSession, type SignedIn } from './session.ts';

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
  people: lazyPage(() => import('./people/people-page.tsx')),
  person: lazyPage(() => import('./people/person-page.tsx')),
  settings: lazyPage(() => import('./settings/settings-page.tsx')),
};

/** Pages that show one record, by the list it belongs to. */
const pagesOfOne: Record<string, keyof typeof pages> = {
  ...{ threads: 'thread', deliveries: 'webhook', runs: 'run', people: 'person' },
};

function nameOf({ page, id }: Route): keyof typeof pages | undefined {
  const name = (id && pagesOfOne[page]) || page;
  return Object.hasOwn(pages, name) ? (name as keyof typeof pages) : undefined;
}

function pageOf(route: Route, me: Myself) {
  const name = nameOf(route);
  if (!name) return <NotFound key="not-found" />;
  if (!mayOpen(route.page, me)) return <NotAllowed key="not-allowed" />;
  const Page = pages[name];
  const { id } = route;
  // The inbox keeps its list while the user opens another request. Every other record has its own page.
  return <Page key={name === 'inbox' ? name : `${name} ${id}`} {...defined({ id: id || undefined })} />;
}

const NotFound = () => (
  <Page title="Page not found">
    <Empty title="The address may be incomplete, or from another version." icon="search">
      <a class="button" href={href('overview')}>
        Go to the start page
      </a>
    </Empty>
  </Page>
);

const NotAllowed = () => (
  <Page title="Page not available">
    <Empty title="Your role does not include this page." icon="people">
      Ask an admin if you need it. <a href={href('inbox')}>Open your inbox</a>
    </Empty>
  </Page>
);

// Loads the script of the page while the session loads. If that fails, the page reports it.
const firstPage = nameOf(parseHash(location.hash));
if (firstPage) pages[firstPage].fetch().catch(() => {});

export function App() {
  const route = useRoute();
  const session = useLoad(loadSession, []);
  const { data, error } = session;
  const look = () => {
    forgetToken();
    session.reload();
  };
  useEvents(window, [sessionEvent], look);
  useEvents(window, ['storage'], (event) => isSessionChange(event) && look());
  const wasSignedIn = useRef(false);
  if (data?.signedIn) wasSignedIn.current = true;
  // The user may have signed in in another window.
  useEvents(document, ['visibilitychange'], () => !document.hidden && data?.signedIn === false && look());
  const isSignIn = route.page === 'sign-in' && (!data?.signedIn || route.id !== undefined || route.query.has('error'));
  return (
    <>
      {data && (isSignIn || !data.signedIn) ? (
        <SignIn
          {...{ route, session: data }}
          hasEnded={wasSignedIn.current && !data.signedIn && !hasSignedOut()}
          onSignedIn={look}
        />
      ) : data?.signedIn ? (
        <Inside session={data.me} publicUrl={data.publicUrl} route={route} />
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

/** The person that this tab has loaded data for. */
let loadedFor: string | undefined;

interface InsideProps {
  session: SignedIn;
  publicUrl: string | undefined;
  route: Route;
}

/** The frame with one page. */
function Inside({ session, publicUrl, route }: InsideProps) {
  const { sessionId } = session;
  const [changed, setChanged] = useState<Person>();
  // All nodes answer with the person as they knew them up to a second ago.
  useEvents<CustomEvent<Person>>(window, [personEvent], ({ detail }) => {
    if (detail.id === session.person.id) setChanged(detail);
  });
  const isNewer = changed?.id === session.person.id && changed.updatedAt > session.person.updatedAt;
  const person = isNewer ? changed : session.person;
  const me = useMemo(() => myself({ ...session, person }, publicUrl), [session, person]);
  // Data of another person, who may see more, must not stay in this tab.
  const isOther = loadedFor !== undefined && loadedFor !== person.id;
  useLayoutEffect(() => {
    rememberSession({ person, sessionId });
    if (isOther) location.reload();
    loadedFor = person.id;
  }, [person.id, sessionId]);
  useEffect(forgetWanted, []);
  const start = me.seesOrg ? 'overview' : 'inbox';
  const isStart = route.page === 'sign-in' || (route.page === 'overview' && start !== 'overview');
  useLayoutEffect(() => {
    if (isStart) history.replaceState(null, '', href(start));
  }, [isStart]);
  if (isOther) return null;
  const shown = isStart ? { ...route, page: start } : route;
  return (
    <MeProvider value={me}>
      <Frame current={shown.page}>
        {/* A new session loads failed data again. */}
        <Fragment key={sessionId}>{pageOf(shown, me)}</Fragment>
      </Frame>
    </MeProvider>
  );
}
