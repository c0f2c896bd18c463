/** A Chromium: one of the machine, or else one that is installed for the tests. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

export function findBrowser(): string {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const found = names.flatMap((name) => whereIs(name) ?? [])[0] ?? ownBrowser();
  if (found) return found;
  install();
  return names.flatMap((name) => whereIs(name) ?? [])[0] ?? chromium.executablePath();
}

function whereIs(name: string): string | undefined {
  try {
    return execFileSync('which', [name], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}

const ownBrowser = (): string | undefined =>
  existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;

/** Debian's, where this is a Debian and we may; Playwright's own otherwise. */
function install(): void {
  const isRoot = process.getuid?.() === 0;
  if (isRoot && whereIs('apt-get')) {
    execFileSync('apt-get', ['update'], { stdio: 'inherit' });
    execFileSync(
      'apt-get',
      ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-core', 'fonts-noto-cjk'],
      { stdio: 'inherit' },
    );
  } else {
    const cli = new URL('cli.js', import.meta.resolve('playwright-core'));
    execFileSync(process.execPath, [cli.pathname, 'install', 'chromium'], { stdio: 'inherit' });
  }
}
