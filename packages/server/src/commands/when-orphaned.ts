/** npx runs a command in a shell of its own, which dies of a signal and does not pass it on. */

const lookMs = 500;

/** Calls back when that shell is gone. Who is started in any other way hears of signals by itself. */
export function whenOrphaned(env: Readonly<Record<string, string | undefined>>, stop: () => void): void {
  if (env.npm_command !== 'exec' || !env.npm_lifecycle_script?.includes('holdpoint')) return;
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    stop();
  }, lookMs);
  looking.unref();
}
