import { expect, test } from 'vitest';
import { nodeMistake } from './check-node.ts';

test('[IP6] a Node that is too old gets an error with a remedy', () => {
  for (const enough of ['22.13.0', '22.20.1', '24.0.0', '100.1.0']) expect(nodeMistake(enough)).toBeUndefined();
  for (const old of ['20.20.2', '22.12.9', '8.0.0'])
    expect(nodeMistake(old)).toBe(
      `Holdpoint needs Node 22.13 or later; this is ${old}. Install Node 24: run "nvm install 24", or download it from https://nodejs.org`,
    );
});
