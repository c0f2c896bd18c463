/** What a story prints: who, and what they did. */
import { styleText } from 'node:util';

export function tell(who: string, text: string): void {
  const name = styleText('bold', who.padStart(8));
  for (const line of text.split('\n')) process.stdout.write(`${name}  ${line}\n`);
}
