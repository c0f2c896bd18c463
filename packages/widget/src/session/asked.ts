/** Turns the question of a reply into an interaction that the widget can show. */
import { defined, type Field, type Interaction, type JsonSchema, type Option } from '@holdpoint/protocol';
import type { InputField, Problem } from '@holdpoint/protocol/answers';
import type { Reply, ShownBlock } from './blocks-calls.ts';

export interface Asked {
  interaction: Interaction;
  executionId: string;
  waitToken: string;
  /** The name for the value of a payloadSchema. Without a name it is all of the values. */
  payloadName?: string;
}

type Shape = Pick<Interaction, 'kind' | 'title' | 'fields'> &
  Partial<Pick<Interaction, 'content' | 'submitLabel' | 'payloadSchema'>> &
  Pick<Asked, 'payloadName'>;

/** The real types behind a type that every widget knows. */
const known: ReadonlySet<unknown> = new Set(['password', 'time', 'datetime', 'confirm']);

/** Not imported: the other `isInputField` is in the script of forms, which a conversation without questions does not fetch. */
const isInputField = (field: Field): field is InputField => 'name' in field;

const textOf = (value: unknown, instead: string): string =>
  typeof value === 'string' && value.trim() !== '' ? value : instead;

/** Undefined if the reply only waits for the next message, or for something that this widget does not know. */
export function askedIn(reply: Reply, { untitled, at }: { untitled: string; at: string }): Asked | undefined {
  const { status, blocks, expectedInput, waitToken, waitExpiresAt, executionId, conversationId } = reply;
  const block = blocks.at(-1);
  if (status !== 'waiting_input' || !waitToken || !expectedInput || !block) return undefined;
  const shape = shapeOf(block, expectedInput.schema, untitled);
  if (!shape) return undefined;
  const { payloadName, ...question } = shape;
  const content = [...blocks.filter(({ id }) => isPartOf(id, block.id)), ...(question.content ?? [])];
  const interaction: Interaction = {
    ...{ id: block.id, threadId: conversationId, status: 'pending', version: 1, blocking: true, votes: [] },
    ...{ responder: { type: 'human' }, resolution: { mode: 'first' }, origin: { type: 'agent' } },
    ...{ createdBy: { type: 'agent', id: 'agent', via: 'unknown' }, createdAt: at, updatedAt: at },
    ...question,
    ...defined({
      content: content.length > 0 ? content : undefined,
      deadline: waitExpiresAt ? { at: waitExpiresAt, outcome: 'expire' as const } : undefined,
    }),
  };
  return { interaction, executionId, waitToken, ...defined({ payloadName }) };
}

/** The text of a question is in blocks whose id begins with the id of the question. */
export const isPartOf = (id: string, questionId: string | undefined): boolean => id.startsWith(`${questionId}:`);

/** A problem of the blocks dialect. */
type NamedProblem = Problem & { field?: string };

/** Adds the pointer that the form needs. The dialect names a field, or a part of a payload such as `lines[0].price`. */
export function placedIn({ fields, payloadSchema }: Interaction, problems: readonly NamedProblem[]): Problem[] {
  return problems.map(({ field: named = '', ...problem }) => {
    const field = fields
      .filter(isInputField)
      .find(({ name }) => named === name || named.startsWith(`${name}[`) || named.startsWith(`${name}.`));
    const parts = named.split(/[.[\]]+/).filter((part) => part !== '');
    const place = field || !payloadSchema ? ['values', field?.name ?? named] : ['payload', ...parts];
    return {
      ...problem,
      pointer: place.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''),
    };
  });
}

function shapeOf(block: ShownBlock, schema: JsonSchema, untitled: string): Shape | undefined {
  const { type, payload } = block;
  const title = textOf(payload.title, untitled);
  if (type === 'form') return { kind: 'form', title, ...formOf(payload, schema) };
  if (type === 'choice') return { kind: 'choice', title, fields: [choiceOf(payload, schema)] };
  return type === 'card' ? cardOf(block, schema, untitled) : undefined;
}

const defaultLabel = 'Submit';

function formOf(payload: ShownBlock['payload'], schema: JsonSchema): Omit<Shape, 'kind' | 'title'> {
  const fields = (Array.isArray(payload.fields) ? (payload.fields as Field[]) : []).map((field) =>
    toField(field, schema),
  );
  const names = new Set<string>(fields.filter(isInputField).map(({ name }) => name));
  const properties = propertiesOf(schema);
  const isAlone = names.size === 0;
  const payloadName = isAlone ? undefined : Object.keys(properties).find((name) => !names.has(name));
  const label = textOf(payload.submit_label, defaultLabel);
  return {
    fields,
    ...defined({
      // The dialect's default label. The widget has its own in the visitor's language.
      submitLabel: label === defaultLabel ? undefined : label,
      payloadSchema: isAlone ? schema : payloadName ? (properties[payloadName] as JsonSchema) : undefined,
      payloadName,
    }),
  };
}

function toField(field: Field, schema: JsonSchema): Field {
  if (!isInputField(field)) return field;
  const { meta, ...rest } = field;
  const type = known.has(meta?.type) ? meta?.type : rest.type;
  // The dialect shows a required confirm as an optional checkbox. The schema tells them apart.
  return { ...rest, type, required: isRequired(field.name, schema) } as Field;
}

function choiceOf({ name, title, options, multiple }: ShownBlock['payload'], schema: JsonSchema): Field {
  const { minItems, maxItems } = (propertiesOf(schema)[String(name)] ?? {}) as { minItems?: number; maxItems?: number };
  return {
    ...{ type: multiple ? 'multi_select' : 'select', name, label: title, options, display: 'buttons' },
    required: isRequired(String(name), schema),
    ...(multiple ? defined({ minSelections: minItems, maxSelections: maxItems }) : {}),
  } as Field;
}

/** The actions of a card with a value answer it. The others are links. */
function cardOf({ payload }: ShownBlock, schema: JsonSchema, untitled: string): Shape | undefined {
  const { title, actions, ...shown } = payload;
  const all = Array.isArray(actions) ? (actions as { label: string; url?: string; value?: unknown }[]) : [];
  const options = all.flatMap(({ label, value }): Option[] => (typeof value === 'string' ? [{ value, label }] : []));
  if (options.length === 0) return undefined;
  const name = Object.keys(propertiesOf(schema))[0] ?? 'action';
  const links = all.filter(({ url }) => url !== undefined);
  return {
    ...{ kind: 'choice', title: textOf(title, untitled) },
    content: [{ type: 'card', payload: { ...shown, actions: links } }],
    fields: [{ type: 'select', name, options, display: 'buttons', required: true }],
  };
}

const propertiesOf = (schema: JsonSchema) => (schema.properties ?? {}) as Record<string, unknown>;
const isRequired = (name: string, { required }: JsonSchema): boolean =>
  Array.isArray(required) && required.includes(name);
