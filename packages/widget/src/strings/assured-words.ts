/** The words of questions that need a person who has signed in, or their passkey. English is fetched with the first one. */
export const englishAssured = {
  /** Said before the answer is sent. */
  willConfirm: 'You confirm this answer with your passkey when you send it.',
  confirm: 'Confirm with your passkey.',
  cancelled: 'The passkey did not confirm. Nothing was sent, and your answer is saved here.',
  noPasskey: 'This answer needs a passkey, and you have none yet.',
  addPasskey: 'Add a passkey in your profile',
  signIn: 'Only a person who has signed in may answer this request.',
  openInbox: 'Sign in and open the request',
  noPasskeysHere: 'This page cannot use passkeys. Open it over https, or at http://localhost.',
};
