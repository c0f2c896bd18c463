/** How inputs are dispatched: by default, in an org, and in one thread of it. */
import type { DispatchSettings, UpdateThreadDispatchSettings } from '@holdpoint/protocol';

/** The settings of an org or a thread. The rest is as in the org, or by default. */
export type DispatchOverrides = Partial<DispatchSettings>;

const defaults: DispatchSettings = {
  mode: 'batched_sequential',
  debounceMs: 600,
  typingGraceMs: 2_000,
  maxWaitMs: 30_000,
};

interface Overrides {
  org?: DispatchOverrides | undefined;
  thread?: DispatchOverrides | undefined;
  /** Whether the thread has an agent. */
  hasAgent?: boolean;
}

/** An agent's run takes one input after the other, so its thread is never in mode immediate. */
export function settingsOf({ org, thread, hasAgent = false }: Overrides = {}): DispatchSettings {
  const settings = { ...defaults, ...(hasAgent ? { mode: 'sequential' as const } : {}), ...org, ...thread };
  return hasAgent && settings.mode === 'immediate' ? { ...settings, mode: 'sequential' } : settings;
}

/** Changes only what the caller names. Null resets it. */
export function updateOverrides(before: DispatchOverrides, update: UpdateThreadDispatchSettings): DispatchOverrides {
  const said = Object.entries({ ...before, ...update }).filter(([, value]) => value !== null);
  return Object.fromEntries(said) as DispatchOverrides;
}
