/** The sign-in page: one click on the server's own machine, an admin key elsewhere. */
import { useLayoutEffect, useState } from 'preact/hooks';
import { Button, useAction } from '../parts/button.tsx';
import { Field } from '../parts/form.tsx';
import { setSignedOut } from '../preferences.ts';
import { wordsFor } from '../service.ts';
import { SignInRefused, signIn } from '../session.ts';

interface SignInProps {
  /** True if this browser runs on the server's machine. */
  mayEnter: boolean;
  onEntered(): void;
}

export function SignIn({ mayEnter, onEntered }: SignInProps) {
  const [key, setKey] = useState('');
  const [fault, setFault] = useState('');
  useLayoutEffect(() => {
    document.title = 'Sign in · Holdpoint';
  }, []);
  const [enter, isBusy] = useAction(
    async (given?: string) => {
      await signIn(given);
      setSignedOut(false);
      onEntered();
    },
    (error) => setFault(reasonOf(error)),
  );
  const submit = (event: Event) => {
    event.preventDefault();
    const given = key.trim();
    if (given === '') setFault('Enter an API key.');
    else void enter(given);
  };
  return (
    <main class="alone">
      <div class="sign-in">
        <img src="/console/icon.svg" alt="" width="40" height="40" />
        <h1>Sign in to Holdpoint</h1>
        {mayEnter && (
          <>
            <p>This browser runs on the same machine as the server, so you need no key.</p>
            <Button text="Continue without a key" look="primary wide" isOff={isBusy} onClick={enter} />
            <p class="or">or sign in with a key</p>
          </>
        )}
        <form onSubmit={submit} noValidate>
          <Field
            label="Admin key"
            hint="The key that the first start printed, the value of HOLDPOINT_API_KEY, or an admin key from the settings."
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
          <Button text="Sign in" look={mayEnter ? 'wide' : 'primary wide'} type="submit" isOff={isBusy} />
        </form>
        <p class="hint">
          You stay signed in for 12 hours. This browser stores a cookie that scripts cannot read, not the key.
        </p>
      </div>
    </main>
  );
}

function reasonOf(error: unknown): string {
  if (!(error instanceof SignInRefused)) return wordsFor(error);
  if (error.status === 401) return 'Unknown key. Check that you copied all of it and that it was not revoked.';
  if (error.status === 403) return `This key cannot sign in: ${error.message}`;
  return error.message;
}
