/** Checks the Node version before loading anything that an older Node lacks. */
import manifest from '../package.json' with { type: 'json' };

const [, needed = ''] = manifest.engines.node.split('>=');

/** The error for a Node that is too old, with how to update. */
export function nodeMistake(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return undefined;
  return `Holdpoint needs Node ${needed} or later; this is ${version}. Install Node 24: run "nvm install 24", or download it from https://nodejs.org`;
}
