/** One call of ask_human or wait_for_human: for whom, what its client can do, and how long it may take. */
import type { McpCaller } from '../mcp-caller.ts';
import type { ClientPowers } from './client-powers.ts';
import type { FormChannel } from './form-channel.ts';
import type { WhileWaiting } from './wait-progress.ts';

export interface Asking {
  caller: McpCaller;
  powers: ClientPowers;
  /** The way to a client that is sent its forms while a call runs. */
  channel: FormChannel | undefined;
  waitSeconds: number;
  whileWaiting: WhileWaiting;
  /** The client no longer waits. */
  signal: AbortSignal;
}
