/** The words for confirming a dangerous option. English is fetched with the first approval. */
export const englishDanger = {
  confirm: (option: string) => `Confirm “${option}”?`,
  why: 'The requester marked this option as dangerous.',
  yes: (option: string) => `Yes: ${option}`,
};
