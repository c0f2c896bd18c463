/** The sets that the tools are offered in. A model reads every tool that is listed, so a client is given the small set unless it asks for more. */
import { fail } from '@holdpoint/protocol';
import type { ToolVerb } from './tools.ts';

export const toolSets = {
  ask: ['ask', 'wait'],
  'input-requests': ['create', 'list', 'get', 'submit', 'cancel'],
} as const satisfies Record<string, readonly ToolVerb[]>;

export type ToolSet = keyof typeof toolSets;

const names = Object.keys(toolSets) as ToolSet[];
const isToolSet = (name: string): name is ToolSet => Object.hasOwn(toolSets, name);

/** Reads names with commas between them: `?tools=` of the address of /mcp, or `--tools` of holdpoint mcp. */
export function readToolSets(text: string | null | undefined): readonly ToolSet[] {
  if (text === null || text === undefined) return ['ask'];
  const wanted = text.split(',').map((name) => name.trim());
  if (wanted.every(isToolSet)) return names.filter((name) => wanted.includes(name));
  return fail('invalid-input', `tools: the sets of tools are ${names.join(' and ')}; write one, or both with a comma.`);
}

export const verbsIn = (sets: readonly ToolSet[]): ToolVerb[] =>
  sets.flatMap((name): ToolVerb[] => [...toolSets[name]]);

export function setOf(verb: ToolVerb): ToolSet {
  const found = names.find((name) => (toolSets[name] as readonly ToolVerb[]).includes(verb));
  if (!found) throw new Error(`${verb} is in no set`);
  return found;
}
