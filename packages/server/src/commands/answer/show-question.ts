/** A question, as a terminal can show it. */
import type { Interaction } from '@holdpoint/protocol';
import { awaited, lines, nameOf, oneLine, shortly, span } from '../shown.ts';
import { alwaysLines } from './always-lines.ts';
import type { Terminal } from './terminal.ts';

export function showQuestion({ paint, say }: Terminal, interaction: Interaction, { link }: { link: string }): void {
  const { title, body, content = [], arguments: args, createdBy, createdAt, deadline } = interaction;
  say(`\n${paint.bold(oneLine(title))}`);
  say(
    paint.dim(
      `asked by ${nameOf(createdBy)} ${span(Date.now() - Date.parse(createdAt))} ago, waits for ${awaited(interaction)}`,
    ),
  );
  if (deadline) say(paint.warn(`${deadlineWords[deadline.outcome]} in ${span(Date.parse(deadline.at) - Date.now())}`));
  if (body) say(lines(body));
  for (const { type, payload } of content) say(blockWords(type, payload));
  for (const [name, value] of Object.entries(args ?? {})) say(`  ${oneLine(name)}: ${shortly(value)}`);
  for (const line of alwaysLines(interaction)) say(paint.warn(line));
  if (content.length > 0) say(paint.dim(`all of it is at ${link}`));
}

const deadlineWords = {
  expire: 'expires',
  recommended: 'takes the recommended answer',
  decline: 'is declined',
} as const;

function blockWords(type: string, { title, text, url, alt, label }: Record<string, unknown>): string {
  const words = [title, text, label ?? alt, url].filter((each) => typeof each === 'string').map(lines);
  return `  [${oneLine(type)}] ${words.join(' ')}`;
}
