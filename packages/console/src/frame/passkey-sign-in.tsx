/** The button of the sign-in page that signs in with a passkey. */
import { useState } from 'preact/hooks';
import { Button, useAction } from '../parts/button.tsx';
import { Failed } from '../parts/states.tsx';
import { addressWithPasskeys, hasPasskeys, signInWithPasskey } from '../passkeys.ts';

export function PasskeySignIn({ onSignedIn }: { onSignedIn(): void }) {
  const [fault, setFault] = useState<unknown>();
  const [start, isBusy] = useAction(async () => {
    setFault(undefined);
    await signInWithPasskey();
    onSignedIn();
  }, setFault);
  const other = addressWithPasskeys();
  if (other)
    return (
      <p class="hint">
        To sign in with a passkey, <a href={other}>open this page at localhost</a>. Passkeys need a host name.
      </p>
    );
  if (!hasPasskeys()) return null;
  return (
    <>
      {fault !== undefined && <Failed error={fault} />}
      <Button text="Sign in with a passkey" look="wide" isOff={isBusy} onClick={start} />
    </>
  );
}
