/** The one thing that a story needs beside Node and a browser. */
import { installFromDebian, whereIs } from '../packages/widget/test/debian.ts';

export default function setup(): void {
  if (whereIs('curl') || installFromDebian('curl', 'ca-certificates')) return;
  throw new Error('The example curl-only needs curl.');
}
