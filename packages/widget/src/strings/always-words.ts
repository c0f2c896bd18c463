/** The words for the coverage of an `_always` option. English is fetched with the first approval. */
export const englishAlways = {
  title: 'Covered by “always”',
  tool: (name: string) => `Only identical requests from this agent to use ${name}.`,
  /** Names of arguments, as a list in the language. */
  fixed: (names: string) => `${names} must be as shown here.`,
  variable: (names: string) => `${names} may have any value.`,
  scopes: {
    run: 'Only in this run of the agent.',
    thread: 'Only in this conversation.',
    org: 'In every conversation.',
  },
  until: (time: string) => `Until ${time}.`,
  forever: 'Until someone revokes it.',
};
