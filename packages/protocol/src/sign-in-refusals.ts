/** Why a sign-in with an identity provider failed, in words for the person. The sign-in page gets the code. */

export const signInRefusals = {
  cancelled: 'The sign-in was cancelled at the identity provider. Try again.',
  expired: 'The sign-in took too long, or another one began in this browser. Try again.',
  'already-used': 'This sign-in was already finished. Start again.',
  'invalid-response':
    'The response of the identity provider is not valid. Try again, and tell an admin if it happens again.',
  'provider-unavailable': 'The identity provider did not respond. Try again in a minute.',
  'provider-refused': 'The identity provider refused the sign-in. Try again, or ask an admin.',
  'unknown-provider': 'This identity provider is no longer set up. Choose another way to sign in.',
  'not-invited': 'There is no person with this account. Ask an admin to invite you.',
  'email-missing':
    'The identity provider did not name your email. Ask an admin to invite you, or add your email there.',
  'email-not-verified': 'The identity provider has not verified your email. Verify it there, then try again.',
  'domain-not-allowed': 'People with an email of this domain may not sign in. Use another account, or ask an admin.',
  'account-taken':
    'The person with your email signs in with another account of this provider. Use that account, or ask an admin.',
  'person-deactivated': 'Your account is deactivated. Ask an admin to reactivate it.',
  'too-many-attempts': 'Too many sign-ins from your network. Try again in a minute.',
  failed: 'The sign-in failed. Try again, or ask an admin for a sign-in link.',
} as const;

export type SignInRefusal = keyof typeof signInRefusals;
