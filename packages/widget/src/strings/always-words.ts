/** The words for the coverage of an `_always` option. English is fetched with the first approval. */
export interface AlwaysWords {
  title: string;
  tool(name: string): string;
  /** Names of arguments, as a list in the language. */
  fixed(names: string): string;
  variable(names: string): string;
  scopes: Record<'run' | 'thread' | 'org', string>;
  until(time: string): string;
  forever: string;
}

export const englishAlways: AlwaysWords = {
  title: 'Covered by “always”',
  tool: (name) => `Only identical requests from this agent to use ${name}.`,
  fixed: (names) => `${names} must be as shown here.`,
  variable: (names) => `${names} may have any value.`,
  scopes: {
    run: 'Only in this run of the agent.',
    thread: 'Only in this conversation.',
    org: 'In every conversation.',
  },
  until: (time) => `Until ${time}.`,
  forever: 'Until someone revokes it.',
};
