/** `import { createHoldpoint } from 'holdpoint'`: Holdpoint in your own process, and all that its client has. */
import { embed } from './in-process/embed.ts';
import type { EmbeddedHoldpoint, HoldpointOptions } from './in-process/embedded-holdpoint.ts';

export * from '@holdpoint/client';
export type { EmbeddedHoldpoint, HoldpointOptions };

/** Opens the data, or makes it, and starts what runs by itself. Close it in the end: until then the process stays. */
export const createHoldpoint = (options: HoldpointOptions): Promise<EmbeddedHoldpoint> => embed(options);
