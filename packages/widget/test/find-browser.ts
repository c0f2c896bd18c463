/** Finds a Chromium on the machine, or installs one for the tests. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { installFromDebian, whereIs } from './debian.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

export function findBrowser(): string {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const found = names.flatMap((name) => whereIs(name) ?? [])[0] ?? ownBrowser();
  if (found) return found;
  install();
  return names.flatMap((name) => whereIs(name) ?? [])[0] ?? chromium.executablePath();
}

const ownBrowser = (): string | undefined =>
  existsSync(chromium.executablePath()) ? chromium.executablePath() : undefined;

/** Installs the Chromium of Debian, or else of Playwright. */
function install(): void {
  if (installFromDebian('chromium', 'fonts-noto-core', 'fonts-noto-cjk')) return;
  const cli = new URL('cli.js', import.meta.resolve('playwright-core'));
  execFileSync(process.execPath, [cli.pathname, 'install', 'chromium'], { stdio: 'inherit' });
}
