/** Prints a request. */
import { coverageOf, type Interaction, isInputField, offersAlways } from '@holdpoint/protocol';
import { awaited, lines, nameOf, oneLine, shortly, span } from '../terminal-text.ts';
import type { Terminal } from './terminal.ts';

export function showQuestion({ paint, say }: Terminal, interaction: Interaction, { link }: { link: string }): void {
  const { title, body, content = [], arguments: args, createdBy, createdAt, deadline } = interaction;
  say(`\n${paint.bold(oneLine(title))}`);
  say(
    paint.dim(
      `from ${nameOf(createdBy)} ${span(Date.now() - Date.parse(createdAt))} ago, waiting for ${awaited(interaction)}`,
    ),
  );
  if (deadline) say(paint.warn(`${deadlineWords[deadline.outcome]} in ${span(Date.parse(deadline.at) - Date.now())}`));
  if (body) say(lines(body));
  for (const { type, payload } of content) say(blockWords(type, payload));
  for (const [name, value] of Object.entries(args ?? {})) say(`  ${oneLine(name)}: ${shortly(value)}`);
  for (const line of alwaysLines(interaction)) say(paint.warn(line));
  if (content.length > 0) say(paint.dim(`full request: ${link}`));
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

const scopes = {
  run: 'only in this run of the agent',
  thread: 'only in this thread',
  org: 'in every thread',
} as const;

/** Describes what an `_always` option would cover. */
function alwaysLines(interaction: Interaction): string[] {
  const { grant, origin, fields } = interaction;
  if (!grant || !offersAlways(interaction)) return [];
  const proposed = fields
    .filter(isInputField)
    .flatMap((field) => ('default' in field ? [[field.name, field.default]] : []));
  const { arguments: fixed, variable } = coverageOf(interaction, Object.fromEntries(proposed));
  const listed = (names: string[]) => names.map(oneLine).join(', ');
  return [
    `"Always" covers requests from this agent that read the same as this one (${oneLine(origin.reference ?? grant.key)}):`,
    ...(Object.keys(fixed).length > 0
      ? [`  only with these values, as you leave them: ${listed(Object.keys(fixed))}`]
      : []),
    ...(variable.length > 0 ? [`  with any value: ${listed(variable)}`] : []),
    `  ${scopes[grant.scope]}, ${grant.forMs === undefined ? 'until someone revokes it' : `for ${span(grant.forMs)}`}`,
  ];
}
