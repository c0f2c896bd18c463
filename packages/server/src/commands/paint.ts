/** Colours, on a terminal whose person has not asked for none (https://no-color.org). */
import type { Shell } from './command.ts';

export interface Paint {
  bold(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
}

const painted = (open: number, close: number) => (text: string) => `\x1b[${open}m${text}\x1b[${close}m`;
const plain = (text: string) => text;

const colours: Paint = {
  bold: painted(1, 22),
  dim: painted(2, 22),
  good: painted(32, 39),
  bad: painted(31, 39),
  warn: painted(33, 39),
};
const none: Paint = { bold: plain, dim: plain, good: plain, bad: plain, warn: plain };

export const paintFor = (stream: { isTTY?: boolean }, { env }: Pick<Shell, 'env'>): Paint =>
  stream.isTTY && !env.NO_COLOR && env.TERM !== 'dumb' ? colours : none;
