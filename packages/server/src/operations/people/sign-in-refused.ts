/** A sign-in with an identity provider that failed, with the reason for the user and the admin log. */
import type { SignInRefusal } from '@holdpoint/protocol';

export class SignInRefused extends Error {
  override name = 'SignInRefused';
  readonly reason: SignInRefusal;
  /** For the admin log: a code of the library or of the provider, never a text of the provider. */
  readonly detail: string | undefined;

  constructor(reason: SignInRefusal, detail?: string) {
    super(detail === undefined ? reason : `${reason}: ${detail}`);
    this.reason = reason;
    this.detail = detail;
  }
}
