/** Who plays in the demo, and what its agent is given of the world. */
import type { HoldpointService } from '@holdpoint/protocol';

export const demoAgent = 'release-manager';
export const colleague = 'sam';

export interface DemoWorld {
  service: HoldpointService;
  /** A link by which the colleague answers this one question. */
  linkFor(interactionId: string): Promise<string>;
  /** Where whoever has opened this thread looks at it. */
  originOf(threadId: string): Promise<string>;
  /** 1: as long as a person likes to watch. Tests are in more of a hurry. */
  pace: number;
}
