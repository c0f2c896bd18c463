/** `npm run example -- NAME` runs one story; without a name it lists them. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { buildWidget } from '../scripts/build-widget.ts';
import { stories } from './stories.ts';

const [name = ''] = process.argv.slice(2);
const names = stories();
if (!names.includes(name)) {
  console.error(`npm run example -- NAME, where NAME is one of ${names.join(', ')}`);
  process.exit(2);
}

const widget = 'packages/server/dist/widget';
if (!existsSync(join(widget, 'widget.js'))) await buildWidget(widget);
const story = join(import.meta.dirname, name, 'story.ts');
spawn(process.execPath, [story], { stdio: 'inherit' }).once('close', (code) => process.exit(code ?? 1));
