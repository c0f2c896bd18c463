/** The sign-in page: for a link, for identity providers, and for a user who has neither. */

import { type SignInRefusal, signInRefusals } from '@holdpoint/protocol';

import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { Button, useAction } from '../parts/button.tsx';
import { Code } from '../parts/code.tsx';
import { Field } from '../parts/form.tsx';
import { Icon } from '../parts/icon.tsx';
import { VisibleText } from '../parts/inline.tsx';
import { markVisited } from '../parts/page.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { href, type Route } from '../route.ts';
import { wordsFor } from '../service.ts';
import {
  type ConsoleSession,
  describeLink,
  type LinkOwner,
  loadProviders,
  type Provider,
  providerStart,
  SignInRefused,
  signIn,
} from '../session.ts';

import { PasskeySignIn } from './passkey-sign-in.tsx';

interface SignInProps {
  route: Route;
  session: ConsoleSession;
  /** The session of this tab has ended while the user worked. */
  hasEnded: boolean;
  onSignedIn(): void;
}

export function SignIn({ route, session, hasEnded, onSignedIn }: SignInProps) {
  const link = route.page === 'sign-in' ? route.id : undefined;
  const org = useOrg(route);
  useEffect(markVisited, []);
  // The user returns to this page after opening a link in the same tab.
  useEffect(() => {
    if (route.page !== 'sign-in') sessionStorage.setItem(wantedKey, location.hash);
  }, [route.page, route.id]);
  return (
    <main class="alone">
      <div class="sign-in">
        <img src="/console/icon.svg" alt="" width="40" height="40" />
        {link ? (
          <WithLink key={link} {...{ link, org, session, onSignedIn }} />
        ) : (
          <WithoutLink
            error={route.page === 'sign-in' ? route.query.get('error') : null}
            {...{ org, hasEnded, onSignedIn }}
          />
        )}
      </div>
    </main>
  );
}

const orgKey = 'holdpoint-console-org';

/** The org that the address names, or that it named earlier in this tab: a failed sign-in returns without it. */
function useOrg({ page, query }: Route): string | undefined {
  const named = page === 'sign-in' ? query.get('org') : null;
  if (named !== null) sessionStorage.setItem(orgKey, named);
  return sessionStorage.getItem(orgKey) ?? undefined;
}

const wantedKey = 'holdpoint-console-wanted';

/** The page that the user wanted before signing in. */
const wanted = (): string => sessionStorage.getItem(wantedKey) ?? href('overview');

export const forgetWanted = (): void => sessionStorage.removeItem(wantedKey);

/** The heading says what the page is about, so it takes the focus, unless a control does. */
function Heading({ children, hasFocus = true }: { children: string; hasFocus?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    document.title = `${children} · Holdpoint`;
    if (hasFocus) heading.current?.focus();
  }, [children]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      <VisibleText text={children} />
    </h1>
  );
}

interface WithLinkProps extends Pick<SignInProps, 'session' | 'onSignedIn'> {
  link: string;
  org: string | undefined;
}

function WithLink({ link, org, session, onSignedIn }: WithLinkProps) {
  const owner = useLoad(() => describeLink(link), [link]);
  const enter = async (name?: string) => {
    await signIn(link, name);
    // The link is used. It must not stay in the history of the browser.
    history.replaceState(null, '', wanted());
    dispatchEvent(new HashChangeEvent('hashchange'));
    onSignedIn();
  };
  if (owner.error instanceof SignInRefused && owner.error.code !== 'rate-limited')
    return <BadLink error={owner.error} {...{ org, session }} />;
  if (owner.error !== undefined)
    return (
      <>
        <Heading>Sign in to Holdpoint</Heading>
        <Failed error={owner.error} onRetry={owner.reload} />
      </>
    );
  if (!owner.data) return <Loading rows={2} what="Loading the sign-in link" />;
  if (owner.data.isFirstAdmin) return <FirstAdmin enter={enter} />;
  return <Invited {...{ owner: owner.data, org, session, enter }} />;
}

type Enter = (name?: string) => Promise<void>;

function FirstAdmin({ enter }: { enter: Enter }) {
  const [name, setName] = useState('');
  const [fault, setFault] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const focus = () => form.current?.querySelector('input')?.focus();
  useLayoutEffect(focus, []);
  const [start, isBusy] = useAction(enter, (error) => {
    setFault(wordsFor(error));
    focus();
  });
  const submit = (event: Event) => {
    event.preventDefault();
    if (name.trim() !== '') return void start(name.trim());
    setFault('Enter your name.');
    focus();
  };
  return (
    <>
      <Heading hasFocus={false}>Welcome to Holdpoint</Heading>
      <p>You are the first to sign in, so you become an admin. You can invite your colleagues next.</p>
      <form ref={form} onSubmit={submit} noValidate>
        <Field
          label="Your name"
          hint="People and agents see it with every answer that you give."
          fault={fault}
          autocomplete="name"
          maxLength={200}
          value={name}
          onValue={setName}
        />
        <Announced text={fault} />
        <Button text="Sign in" look="primary wide" type="submit" isOff={isBusy} />
      </form>
      <StaySignedIn />
    </>
  );
}

interface InvitedProps extends Pick<WithLinkProps, 'org' | 'session'> {
  owner: LinkOwner;
  enter: Enter;
}

function Invited({ owner, org, session, enter }: InvitedProps) {
  const { name = '' } = owner;
  const [fault, setFault] = useState<unknown>();
  const [start, isBusy] = useAction(() => enter(), setFault);
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('button')?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    void start();
  };
  if (fault instanceof SignInRefused && fault.code !== 'rate-limited')
    return <BadLink error={fault} {...{ org, session }} />;
  return (
    <>
      <Heading hasFocus={false}>{`Sign in as ${name}`}</Heading>
      <p>
        This link is for <VisibleText text={name} /> and works once. If you are somebody else, do not use it.
      </p>
      {session.signedIn && (
        <p class="note">
          You are signed in as <VisibleText text={session.me.person.name} /> in this browser. This ends that session.
        </p>
      )}
      <form ref={form} onSubmit={submit}>
        {fault !== undefined && <Failed error={fault} />}
        <Button
          text={
            <span>
              Sign in as <VisibleText text={name} />
            </span>
          }
          look="primary wide"
          type="submit"
          isOff={isBusy}
        />
      </form>
      {session.signedIn ? <Continue session={session} /> : <StaySignedIn />}
    </>
  );
}

/** The link cannot be used: says why, and what to do. */
function BadLink({ error, org, session }: Pick<WithLinkProps, 'org' | 'session'> & { error: SignInRefused }) {
  const isDeactivated = error.code === 'person-deactivated';
  return (
    <>
      <Heading>{isDeactivated ? 'This account is deactivated' : 'This link no longer works'}</Heading>
      {isDeactivated ? (
        <p>Ask an admin to reactivate the account. Then the link works again, until it expires.</p>
      ) : (
        <p>It was used or has expired. Each sign-in link works once.</p>
      )}
      {session.signedIn ? <Continue session={session} /> : <OtherWays {...{ org, isDeactivated }} />}
    </>
  );
}

const Continue = ({ session }: { session: ConsoleSession & { signedIn: true } }) => (
  <a class="button wide" href={href('overview')}>
    <span>
      Continue as <VisibleText text={session.me.person.name} />
    </span>
  </a>
);

const StaySignedIn = () => (
  <p class="hint">You stay signed in for 30 days in this browser. You can end the session in your profile.</p>
);

const Announced = ({ text }: { text: string }) => (
  <div role="alert" class="visually-hidden">
    {text}
  </div>
);

const reasonOf = (code: string): string =>
  signInRefusals[Object.hasOwn(signInRefusals, code) ? (code as SignInRefusal) : 'failed'];

interface WithoutLinkProps extends Pick<SignInProps, 'hasEnded' | 'onSignedIn'> {
  error: string | null;
  org: string | undefined;
}

function WithoutLink({ error, org, hasEnded, onSignedIn }: WithoutLinkProps) {
  const enter = () => {
    if (location.hash.startsWith('#/sign-in')) {
      history.replaceState(null, '', wanted());
      dispatchEvent(new HashChangeEvent('hashchange'));
    }
    onSignedIn();
  };
  return (
    <>
      <Heading>Sign in to Holdpoint</Heading>
      {error !== null && (
        <div class="failed" role="alert">
          <Icon name="warning" />
          <p>{reasonOf(error)}</p>
        </div>
      )}
      {hasEnded && (
        <p class="note" role="status">
          Your session has ended. Sign in to return to the same page. Unsent answers are saved.
        </p>
      )}
      {org !== undefined && (
        <p class="muted">
          Organization:{' '}
          <b>
            <VisibleText text={org} />
          </b>
        </p>
      )}
      <PasskeySignIn onSignedIn={enter} />
      <OtherWays org={org} />
    </>
  );
}

/** The ways to sign in without the link: with a provider, or with a new link. */
function OtherWays({ org, isDeactivated = false }: { org: string | undefined; isDeactivated?: boolean }) {
  const { data: providers } = useLoad(() => loadProviders(org), [org]);
  // The text about links comes after the providers, so it waits for them.
  if (!providers) return <Loading rows={2} />;
  if (isDeactivated) return null;
  return (
    <>
      {providers.length > 0 && (
        <>
          <Providers providers={providers} />
          <p class="or">or with a sign-in link</p>
        </>
      )}
      <Steps title="Ask an admin for a link">
        They create it under People, with “New sign-in link” next to your name. Open it in this browser.
      </Steps>
      <Steps title="Or create one on the server">
        <Code text="holdpoint open" what="the command" />
      </Steps>
    </>
  );
}

function Providers({ providers }: { providers: readonly Provider[] }) {
  return (
    <ul class="providers">
      {providers.map((provider) => (
        <li key={provider.id}>
          <a
            class={providers.length === 1 ? 'button primary wide' : 'button wide'}
            href={providerStart(provider, wanted())}
          >
            <span>
              Continue with <VisibleText text={provider.name} />
            </span>
          </a>
          {provider.contact && (
            <p class="hint">
              Questions? <VisibleText text={provider.contact} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}

const Steps = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section>
    <h2>{title}</h2>
    <div class="muted">{children}</div>
  </section>
);
