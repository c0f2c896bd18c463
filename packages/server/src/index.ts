/** `import { createHoldpoint } from 'holdpoint'`: Holdpoint in your own process, and all that its client has. */
import { nodeMistake } from './check-node.ts';
import type { FetchHandler, FetchOptions } from './http/fetch-handler.ts';
import type { EmbeddedHoldpoint, HoldpointOptions } from './in-process/embedded-holdpoint.ts';
import { loadEmbed } from './in-process/load-embed.ts';

export * from '@holdpoint/client';
export type { EmbeddedHoldpoint, FetchHandler, FetchOptions, HoldpointOptions };

/** Opens the data, or makes it, and starts what runs by itself. Close it in the end: until then the process stays. */
export async function createHoldpoint(options: HoldpointOptions): Promise<EmbeddedHoldpoint> {
  const mistake = nodeMistake(process.versions.node);
  if (mistake) throw new Error(mistake);
  const { embed } = await loadEmbed();
  return embed(options);
}
