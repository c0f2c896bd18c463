/** Finds a Chromium on the machine, or installs one for the tests. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { installFromDebian, whereIs } from './debian.ts';

/** Chromium without a window needs a quarter of the processor time of the others. */
const shell = 'chromium-headless-shell';
const names = [shell, 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const fonts = ['fonts-noto-core', 'fonts-noto-cjk'];

export function findBrowser(): string {
  const found = browserHere();
  if (found) return found;
  installBrowser();
  return browserHere() ?? chromium.executablePath();
}

function browserHere(): string | undefined {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  const own = chromium.executablePath();
  return names.flatMap((name) => whereIs(name) ?? [])[0] ?? (existsSync(own) ? own : undefined);
}

/** Installs the Chromium of Debian, without a window if Debian has it, or else that of Playwright. */
export function installBrowser(): void {
  if (process.env.CHROMIUM_PATH || whereIs(shell)) return;
  const other = browserHere();
  try {
    if (installFromDebian(shell, ...(other ? [] : fonts))) return;
  } catch (error) {
    // Older releases of Debian do not have it, and a machine may have no network.
    if (!other && !installFromDebian('chromium', ...fonts)) throw error;
  }
  if (other) return;
  const cli = new URL('cli.js', import.meta.resolve('playwright-core'));
  execFileSync(process.execPath, [cli.pathname, 'install', 'chromium'], { stdio: 'inherit' });
}
