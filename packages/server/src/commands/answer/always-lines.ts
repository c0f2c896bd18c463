/** States what an `_always` option would cover, in lines for a terminal. */
import { coverageOf, type Interaction, isInputField, offersAlways } from '@holdpoint/protocol';
import { oneLine, span } from '../shown.ts';

const scopes = {
  run: 'only in this run of the agent',
  thread: 'only in this thread',
  org: 'in every thread',
} as const;

export function alwaysLines(interaction: Interaction): string[] {
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
