/** The tools: their names, schemas and the sets in which a client sees them. */

import { fail } from '@holdpoint/protocol';
import askInput from './schemas/ask-human.input.json' with { type: 'json' };
import askOutput from './schemas/ask-human.output.json' with { type: 'json' };
import createInput from './schemas/create-input-request.input.json' with { type: 'json' };
import createOutput from './schemas/create-input-request.output.json' with { type: 'json' };
import placeInput from './schemas/input-request-place.input.json' with { type: 'json' };
import listInput from './schemas/list-input-requests.input.json' with { type: 'json' };
import pageInfo from './schemas/page-info.json' with { type: 'json' };
import submitInput from './schemas/submit-input-request-response.input.json' with { type: 'json' };
import waitInput from './schemas/wait-for-human.input.json' with { type: 'json' };

/** A JSON Schema of draft 7 whose root is an object, as MCP requires. */
export interface ToolSchema {
  type: 'object';
  properties: Record<string, object>;
  required?: string[];
  [keyword: string]: unknown;
}

export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: ToolSchema;
  outputSchema: ToolSchema;
  annotations: {
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
  /** Reports in 2025-11-25 whether a call may become a task. */
  execution?: { taskSupport: 'optional' };
}

const schema = (written: object): ToolSchema => written as ToolSchema;
const { $schema, ...record } = schema(createOutput);
const inputRequest = { ...record, description: 'Input request record.' };
const output = (description: string, properties: ToolSchema['properties']): ToolSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  description,
  $schema,
});

/** The tools act only on this server. */
const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };

export const tools = {
  ask: {
    name: 'ask_human',
    title: 'Ask a person',
    description:
      'Ask a person something and get their answer: a choice by options, a form by fields, an approval by kind, or else a line of text. The question is durable and is also in the inbox. If nobody has answered in time, the status is pending: call wait_for_human with its interaction_id.',
    inputSchema: schema(askInput),
    outputSchema: schema(askOutput),
    annotations: { ...writes, openWorldHint: true },
    execution: { taskSupport: 'optional' },
  },
  wait: {
    name: 'wait_for_human',
    title: 'Wait for a person',
    description: 'Wait for the answer to a question that ask_human has asked, by its interaction_id.',
    inputSchema: schema(waitInput),
    outputSchema: schema(askOutput),
    annotations: reads,
  },
  create: {
    name: 'create_input_request',
    title: 'Create input request',
    description:
      'Create a durable input request for a conversation. Calling it again for the same run and tool call returns the request that exists.',
    inputSchema: schema(createInput),
    outputSchema: schema(createOutput),
    annotations: { ...writes, idempotentHint: true },
  },
  list: {
    name: 'list_input_requests',
    title: 'List input requests',
    description: 'List the input requests of a conversation, the oldest first.',
    inputSchema: schema(listInput),
    outputSchema: output('A page of input requests.', {
      data: { type: 'array', items: inputRequest, description: 'The input requests of this page.' },
      page_info: pageInfo,
    }),
    annotations: reads,
  },
  get: {
    name: 'get_input_request',
    title: 'Get input request',
    description: 'Get an input request with its status and latest response.',
    inputSchema: schema(placeInput),
    outputSchema: { ...inputRequest, $schema },
    annotations: reads,
  },
  submit: {
    name: 'submit_input_request_response',
    title: 'Submit input request response',
    description: 'Answer an open input request. The first valid response closes it.',
    inputSchema: schema(submitInput),
    outputSchema: output('The answered input request.', {
      success: { type: 'boolean', const: true, description: 'Whether the response was taken.' },
      input_request: inputRequest,
    }),
    annotations: writes,
  },
  cancel: {
    name: 'cancel_input_request',
    title: 'Cancel input request',
    description: 'Withdraw an open input request, so that it can no longer be answered.',
    inputSchema: schema(placeInput),
    outputSchema: { ...inputRequest, $schema },
    annotations: { ...writes, destructiveHint: true },
  },
} as const satisfies Record<string, ToolDefinition>;

export type ToolVerb = keyof typeof tools;

/** The schema that checks the input. Clients see the published schema, which does not mention that an option may be a text. */
export const acceptedInput = (verb: ToolVerb): ToolSchema =>
  verb === 'create' ? acceptedCreate : tools[verb].inputSchema;

const acceptedCreate = withTextOptions(schema(createInput));

function withTextOptions(published: ToolSchema): ToolSchema {
  const { fields } = published.properties as { fields: { items: ToolSchema } };
  const { options } = fields.items.properties as { options: { items: object } };
  const items = { anyOf: [options.items, { type: 'string' }], description: 'An object, or a text.' };
  const properties = { ...fields.items.properties, options: { ...options, items } };
  return {
    ...published,
    properties: { ...published.properties, fields: { ...fields, items: { ...fields.items, properties } } },
  };
}

export const toolSets = {
  ask: ['ask', 'wait'],
  'input-requests': ['create', 'list', 'get', 'submit', 'cancel'],
} as const satisfies Record<string, readonly ToolVerb[]>;

export type ToolSet = keyof typeof toolSets;

const names = Object.keys(toolSets) as ToolSet[];

/** Reads names with commas between them: `?tools=` in the address of /mcp, or `--tools` of holdpoint mcp. */
export function readToolSets(text: string | null | undefined): readonly ToolSet[] {
  if (text === null || text === undefined) return ['ask'];
  const wanted = text.split(',').map((name) => name.trim());
  if (wanted.every((name) => Object.hasOwn(toolSets, name))) return names.filter((name) => wanted.includes(name));
  return fail('invalid-input', `tools: the sets of tools are ${names.join(' and ')}. Write one, or both with a comma.`);
}

export const setOf = (verb: ToolVerb): ToolSet | undefined =>
  names.find((name) => (toolSets[name] as readonly ToolVerb[]).includes(verb));
