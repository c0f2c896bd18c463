/** The sign-in page: one click on the server's own machine, an admin key elsewhere. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { wordsFor } from '../error-text.ts';
import { Field } from '../parts/form.tsx';
import { setSignedOut } from '../preferences.ts';
import { SignInRefused, signIn } from '../session.ts';

interface SignInProps {
  /** True if this browser runs on the server's machine. */
  mayEnter: boolean;
  onEntered(): void;
}

export function SignIn({ mayEnter, onEntered }: SignInProps) {
  const [key, setKey] = useState('');
  const [fault, setFault] = useState('');
  const [isBusy, setBusy] = useState(false);
  useLayoutEffect(() => {
    document.title = 'Sign in · Holdpoint';
  }, []);
  const enter = async (given?: string) => {
    if (isBusy) return;
    setBusy(true);
    try {
      await signIn(given);
      setSignedOut(false);
      onEntered();
    } catch (error) {
      setFault(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const given = key.trim();
    if (given === '') setFault('Enter a key.');
    else void enter(given);
  };
  return (
    <main class="alone">
      <div class="sign-in">
        <img src="/console/icon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Holdpoint</h1>
        {mayEnter && (
          <>
            <p>This browser is on the machine that the server runs on, so no key is needed.</p>
            <button type="button" class="button primary wide" aria-disabled={isBusy} onClick={() => enter()}>
              Continue on this machine
            </button>
            <p class="or">or with a key</p>
          </>
        )}
        <form onSubmit={submit} noValidate>
          <Field
            label="Admin key"
            hint="The one that the first start printed, HOLDPOINT_API_KEY, or one made in the settings."
            fault={fault}
            isCode
            type="password"
            autocomplete="current-password"
            spellcheck={false}
            value={key}
            onValue={setKey}
          />
          <div role="alert" class="visually-hidden">
            {fault}
          </div>
          <button type="submit" class={`button wide ${mayEnter ? '' : 'primary'}`} aria-disabled={isBusy}>
            Sign in
          </button>
        </form>
        <p class="hint">The key is exchanged for a cookie of this browser that no script can read, for 12 hours.</p>
      </div>
    </main>
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof SignInRefused)) return 'The server cannot be reached. Is it running?';
  if (error.status === 401)
    return 'The server does not know this key. It may have been revoked, or cut off when it was copied.';
  if (error.status === 403) return `This key may not sign in: ${error.message}`;
  return wordsFor(error);
}
