/** Prepares what all browser tests share: the built bundle, and a browser. */
import { buildWidget } from '../../../scripts/build-widget.ts';
import { installBrowser } from './find-browser.ts';

export async function setup(): Promise<void> {
  // Installs the browser before the workers start. Two workers that install at once fail on the lock of apt-get.
  installBrowser();
  await buildWidget('packages/server/dist/widget');
}
