/** Translates a create command into a question, and an interaction into the resource of the spec. */

import { hash } from 'node:crypto';
import {
  type Block,
  type CreateInteraction,
  checkShape,
  defined,
  type FreeObject,
  fieldsToJsonSchema,
  type Interaction,
  type Kind,
  limits,
  type Problem,
  pickField,
  votesNeeded,
} from '@holdpoint/protocol';
import { Type } from 'typebox';
import { onlyInput, payloadShape, toResponse } from './answer-codec.ts';
import {
  BinarySchema,
  type CreateCommand,
  IdSchema,
  type InteractionOption,
  type Prompt,
  type ResourceStatus,
  type Sent,
  SentSchema,
  type TaskContent,
} from './schemas.ts';

function toBlock(content: TaskContent): Block {
  const { type, ...payload } = content;
  return type === 'text' ? { type: 'message', payload: { ...payload, format: 'markdown' } } : { type, payload };
}

/** A block without a counterpart becomes data, so that the responder sees all of the question. */
function fromBlock(block: Block): TaskContent {
  const { type, payload } = block;
  if (type === 'message' && typeof payload.text === 'string') return { type: 'text', text: payload.text };
  if (type === 'data' && Object.hasOwn(payload, 'data')) return { type: 'data', data: payload.data };
  const binary = { ...payload, type: 'binary' };
  if (type === 'binary' && checkShape(BinarySchema, binary).length === 0) return binary as TaskContent;
  return { type: 'data', data: block };
}

type Asked = { ok: true; asking: CreateInteraction } | { ok: false; problems: Problem[] };

export function fromCreate(command: CreateCommand, orgId: string): Asked {
  const { kind, prompt, payloadSchema, blocking, options = [], deadlineAt, origin, metadata } = command;
  const resolution = readResolution(command);
  const grant = readGrant(command);
  const isOtherOrg = command.orgId !== undefined && command.orgId !== orgId;
  const org = { pointer: '/orgId', code: 'value', message: 'Your key belongs to another org.' };
  const problems = [...(isOtherOrg ? [org] : []), ...resolution.problems, ...grant.problems];
  if (problems.length > 0) return { ok: false, problems };
  const sent: Sent = { kind, prompt, ...defined({ options: command.options, scope: command.scope, origin }) };
  return {
    ok: true,
    asking: defined({
      // A native input asks for one field, so an input with a payloadSchema becomes a form.
      kind: kind === 'input' && payloadSchema ? 'form' : kind,
      title: titleOf(kind, prompt),
      body: prompt.description,
      content: prompt.content?.map(toBlock),
      payloadSchema,
      options: options.length > 0 ? options.map(toOption) : undefined,
      blocking,
      resolution: resolution.value,
      grant: grant.value,
      deadline: deadlineAt === undefined ? undefined : { at: deadlineAt, outcome: 'expire' as const },
      run: { id: command.runId, attemptId: command.attemptId },
      origin: origin && defined({ type: origin.type, reference: origin.reference }),
      metadata,
      original: { dialect: 'agent-service' as const, sent },
    }),
  };
}

/** A run that names no thread gets its own. Its id is a digest of the run id, as a UUID because input requests accept no other id. */
export function threadOfRun(runId: string): string {
  const [a, b, c, d, e] =
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(hash('sha256', `run ${runId}`, 'hex'))?.slice(1) ?? [];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

/** The original keeps the metadata of an option. */
const toOption = ({ id, metadata: _kept, ...option }: InteractionOption) => ({ value: id, ...option });

const words: Record<Kind, string> = {
  choice: 'Choose',
  input: 'Please answer',
  form: 'Please fill in',
  approval: 'Please decide',
};

/** The title of the prompt, or else its first line: a question needs a title. */
function titleOf(kind: Kind, { title = '', description = '', content = [] }: Prompt): string {
  if (title.trim() !== '') return title;
  const texts = [description, ...content.map((each) => (each.type === 'text' ? each.text : ''))];
  const line = texts.flatMap((text) => text.split('\n')).find((each) => each.trim() !== '');
  return line ? [...line.trim()].slice(0, limits.titleLength).join('') : words[kind];
}

type Read<T> = { value?: T; problems: Problem[] };

const Votes = Type.Integer({ minimum: 1, maximum: limits.votes });

/** The resource has no property for the number of votes, so it is in the metadata. */
function readResolution(command: CreateCommand): Read<NonNullable<CreateInteraction['resolution']>> {
  const { resolutionPolicy: mode = 'first', metadata } = command;
  if (mode === 'first') return { problems: [] };
  const at = '/metadata/resolutionCount';
  const count = metadata?.resolutionCount;
  const message = 'Send the number of votes as metadata.resolutionCount.';
  if (count === undefined) return { problems: [{ pointer: at, code: 'required', message }] };
  const problems = checkShape(Votes, count, at);
  return problems.length > 0 ? { problems } : { value: { mode, count: count as number }, problems };
}

/** An option that creates a grant needs a key and a scope. */
function readGrant(command: CreateCommand): Read<NonNullable<CreateInteraction['grant']>> {
  const { options = [], scope = 'interaction', metadata } = command;
  if (!options.some(({ kind }) => kind.endsWith('_always'))) return { problems: [] };
  const problems =
    metadata && Object.hasOwn(metadata, 'grantKey')
      ? checkShape(IdSchema, metadata.grantKey, '/metadata/grantKey')
      : [];
  if (scope === 'interaction') {
    const message = 'Options of kind allow_always and reject_always need the scope run, thread or org.';
    return { problems: [...problems, { pointer: '/scope', code: 'required', message }] };
  }
  return problems.length > 0 ? { problems } : { value: { key: grantKey(command), scope }, problems };
}

/** Returns the key under which a grant is listed. A grant covers only the same question, whatever its key. */
function grantKey({ origin, metadata }: CreateCommand): string {
  const named = metadata?.grantKey ?? origin?.reference;
  return typeof named === 'string' ? named : (origin?.type ?? 'agent');
}

export const statuses = {
  pending: 'pending',
  answered: 'resolved',
  cancelled: 'cancelled',
  expired: 'expired',
} as const satisfies Record<Interaction['status'], ResourceStatus>;

/** The resource as the page shows it. */
export type InteractionRequest = ReturnType<typeof toResource>;

export function toResource(interaction: Interaction, orgId: string) {
  const { id, threadId, run, status, blocking, resolution, deadline, answer, metadata, version } = interaction;
  const sent = originalOf(interaction);
  return defined({
    interactionId: id,
    orgId,
    runId: run?.id ?? id,
    attemptId: run?.attemptId ?? '1',
    threadId,
    kind: sent?.kind ?? interaction.kind,
    status: statuses[status],
    prompt: sent?.prompt ?? derivePrompt(interaction),
    payloadSchema: payloadSchemaOf(interaction, sent),
    blocking,
    scope: sent?.scope ?? interaction.grant?.scope ?? 'interaction',
    resolutionPolicy: resolution.mode,
    options: sent?.options?.length ? sent.options : optionsOf(interaction),
    response: answer && toResponse(interaction, answer),
    deadlineAt: deadline?.at,
    origin: sent?.origin ?? interaction.origin,
    // The resource has no property for the number of votes of a quorum.
    metadata: resolution.mode === 'first' ? metadata : { ...metadata, resolutionCount: votesNeeded(resolution) },
    createdAt: interaction.createdAt,
    updatedAt: interaction.updatedAt,
    resolvedAt: interaction.closedAt,
    version,
  });
}

/** Native callers may write an original too, so it is validated. */
function originalOf({ original }: Interaction): Sent | undefined {
  if (original?.dialect !== 'agent-service' || checkShape(SentSchema, original.sent).length > 0) return undefined;
  return original.sent as Sent;
}

function derivePrompt(interaction: Interaction): Prompt {
  const { title, body, content = [], arguments: proposed, recommendations, submitLabel } = interaction;
  // A person who approves must see the arguments, so they are content and not metadata.
  const shown = [...content.map(fromBlock), ...(proposed ? [{ type: 'data' as const, data: proposed }] : [])];
  const metadata = defined({ recommendations, submitLabel });
  return {
    title,
    ...defined({
      description: body,
      content: shown.length > 0 ? shown : undefined,
      metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
    }),
  };
}

function payloadSchemaOf(interaction: Interaction, sent: Sent | undefined): FreeObject | undefined {
  const { fields, payloadSchema } = interaction;
  switch (payloadShape(interaction)) {
    case 'payload':
      return payloadSchema;
    case 'none':
      return undefined;
    case 'value': {
      const { properties } = fieldsToJsonSchema(fields) as { properties: Record<string, FreeObject> };
      return sent ? undefined : properties[onlyInput(interaction) ?? ''];
    }
    case 'values': {
      const schema = fieldsToJsonSchema(fields);
      // The id of the option may replace the value.
      const pick = pickField(interaction)?.name;
      return { ...schema, required: (schema.required as string[]).filter((name) => name !== pick) };
    }
  }
}

function optionsOf(interaction: Interaction): InteractionOption[] | undefined {
  return pickField(interaction)?.options.map(({ value, label, kind = 'answer', description }) => ({
    id: value,
    label,
    kind,
    ...defined({ description }),
  }));
}
