/** `import { createHoldpoint } from 'holdpoint'`: Holdpoint in your own process, and everything its client exports. */
import { nodeMistake } from './check-node.ts';
import type { FetchHandler, FetchOptions } from './http/connections/fetch-handler.ts';
import type { EmbeddedHoldpoint, HoldpointOptions } from './in-process/embedded-holdpoint.ts';
import { loadEmbed } from './in-process/load-embed.ts';

export * from '@holdpoint/client';
export type { EmbeddedHoldpoint, FetchHandler, FetchOptions, HoldpointOptions };

/** Opens or creates the data and starts the background work. The process stays alive until you call `close()`. */
export async function createHoldpoint(options: HoldpointOptions): Promise<EmbeddedHoldpoint> {
  const mistake = nodeMistake(process.versions.node);
  if (mistake) throw new Error(mistake);
  const { embed } = await loadEmbed();
  return embed(options);
}
