/** The blocks of code under a heading of the README, in their order. */
import { readFileSync } from 'node:fs';

export interface CodeBlock {
  language: string;
  code: string;
}

export function readmeBlocks(heading: string): CodeBlock[] {
  const [, section = ''] = readFileSync('README.md', 'utf8').split(`\n## ${heading}\n`);
  const [untilNext = ''] = section.split('\n## ');
  return [...untilNext.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** Removes the comments. */
export const commandsOf = ({ code }: CodeBlock): string[] =>
  code
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter((line) => line !== '');
