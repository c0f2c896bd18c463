/** Checks an issuer without a sign-in, and says what the check found. */
import { HoldpointError } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Button, useAction } from '../parts/button.tsx';
import { service, wordsFor } from '../service.ts';
import { type Checked, wordsForCheck } from './check-words.ts';

export function useIssuerCheck() {
  const [checked, setChecked] = useState<Checked>();
  const [fault, setFault] = useState<string>();
  const [check, isChecking] = useAction(
    async (issuer: string) => {
      setChecked(undefined);
      setFault(undefined);
      setChecked({ issuer, ...(await service.checkIdentityProvider({ issuer })) });
    },
    (error) => setFault((error instanceof HoldpointError && error.fault.problems?.[0]?.message) || wordsFor(error)),
  );
  return { checked, fault, check, isChecking };
}

export type IssuerCheck = ReturnType<typeof useIssuerCheck>;

interface CheckButtonProps {
  of: IssuerCheck;
  issuer: string;
  /** The accessible name, where several providers have such a button. */
  name?: string;
}

export const CheckButton = ({ of: { check, isChecking }, issuer, name }: CheckButtonProps) => (
  <Button
    text={isChecking ? 'Checking…' : 'Check'}
    {...(name === undefined ? {} : { name })}
    look="small"
    isOff={isChecking}
    onClick={() => check(issuer.trim())}
  />
);

/** The result of the last check. Screen readers read it when it appears. */
export const CheckResult = ({ of: { checked, isChecking } }: { of: IssuerCheck }) => (
  <div role="status" class="check-result">
    {checked && !isChecking && <p class={checked.isReady ? 'note good' : 'note warn'}>{wordsForCheck(checked)}</p>}
  </div>
);
