/** Finds programs that the tests need, or installs them if this is a Debian and we are root. */
import { execFileSync } from 'node:child_process';

export function whereIs(name: string): string | undefined {
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** Returns false if this is not a Debian, or if we are not root. */
export function installFromDebian(...packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !whereIs('apt-get')) return false;
  execFileSync('apt-get', ['update'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'inherit' });
  return true;
}
