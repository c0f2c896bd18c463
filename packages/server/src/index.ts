/** `import { createHoldpoint } from 'holdpoint'`: Holdpoint in your own process, and all that its client has. */
import { nodeMistake } from './check-node.ts';
import type { EmbeddedHoldpoint, HoldpointOptions } from './in-process/embedded-holdpoint.ts';

export * from '@holdpoint/client';
export type { EmbeddedHoldpoint, HoldpointOptions };

/** Opens the data, or makes it, and starts what runs by itself. Close it in the end: until then the process stays. */
export async function createHoldpoint(options: HoldpointOptions): Promise<EmbeddedHoldpoint> {
  const mistake = nodeMistake(process.versions.node);
  if (mistake) throw new Error(mistake);
  const { embed } = await import('./in-process/embed.ts');
  return embed(options);
}
