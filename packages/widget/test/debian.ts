/** What tests need of the machine: found, or installed where this is a Debian and we may. */
import { execFileSync } from 'node:child_process';

export function whereIs(name: string): string | undefined {
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

/** False where this is none, or where we may not. */
export function installFromDebian(...packages: string[]): boolean {
  if (process.getuid?.() !== 0 || !whereIs('apt-get')) return false;
  execFileSync('apt-get', ['update'], { stdio: 'inherit' });
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { stdio: 'inherit' });
  return true;
}
