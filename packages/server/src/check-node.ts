/** Says what is missing before anything is loaded that an older Node does not have. */
import manifest from '../package.json' with { type: 'json' };

const [, needed = ''] = manifest.engines.node.split('>=');

/** The sentence for whoever runs it with a Node that is too old. */
export function nodeMistake(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number);
  const isEnough = major > neededMajor || (major === neededMajor && minor >= neededMinor);
  return isEnough ? undefined : `Holdpoint needs Node ${needed} or later; this is ${version}`;
}
