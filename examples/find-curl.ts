/** Installs curl, which one story needs. */
import { installFromDebian, whereIs } from '../packages/widget/test/debian.ts';

export default function setup(): void {
  if (whereIs('curl') || installFromDebian('curl', 'ca-certificates')) return;
  throw new Error('The example curl-only needs curl.');
}
