/** A create there as a question of ours. What ours has no place for is kept as sent. */
import { hash } from 'node:crypto';
import { type CreateInteraction, checkShape, defined, type Kind, limits, type Problem } from '@holdpoint/protocol';
import { Type } from 'typebox';
import type { CreateCommand } from './commands.ts';
import { toBlock } from './content.ts';
import { IdSchema, type Prompt, type Sent } from './interaction-request.ts';

export type Asked = { ok: true; asking: CreateInteraction } | { ok: false; problems: Problem[] };

export function fromCreate(command: CreateCommand, orgId: string): Asked {
  const { kind, prompt, payloadSchema, blocking, options = [], deadlineAt, origin, metadata } = command;
  const resolution = readResolution(command);
  const grant = readGrant(command);
  const problems = [...checkOrg(command, orgId), ...resolution.problems, ...grant.problems];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    asking: {
      // Ours asks for one field where the kind is input; only there is a payloadSchema a form of its own.
      kind: kind === 'input' && payloadSchema ? 'form' : kind,
      title: titleOf(kind, prompt),
      ...defined({
        body: prompt.description,
        content: prompt.content?.map(toBlock),
        payloadSchema,
        options:
          options.length > 0
            ? options.map(({ id, metadata: _kept, ...option }) => ({ value: id, ...option }))
            : undefined,
        blocking,
        resolution: resolution.value,
        grant: grant.value,
        deadline: deadlineAt === undefined ? undefined : { at: deadlineAt, outcome: 'expire' as const },
      }),
      run: { id: command.runId, attemptId: command.attemptId },
      ...defined({ origin: origin ? originOf(origin) : undefined, metadata }),
      original: { dialect: 'agent-service', sent: sentOf(command) },
    },
  };
}

/** A run that names no thread has one of its own, found by its digest: a UUID, because in other dialects a thread has no other id. */
export function threadOfRun(runId: string): string {
  const [a, b, c, d, e] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256(`run ${runId}`))?.slice(1) ?? [];
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

function sentOf({ kind, prompt, options, scope, origin }: CreateCommand): Sent {
  return { kind, prompt, ...defined({ options, scope, origin }) };
}

const originOf = ({ type, reference }: NonNullable<CreateCommand['origin']>) => ({
  type,
  ...defined({ reference }),
});

const words: Record<Kind, string> = {
  choice: 'Choose',
  input: 'Please answer',
  form: 'Please fill in',
  approval: 'Please decide',
};

/** Ours needs a title: theirs, or else the first line there is. */
function titleOf(kind: Kind, { title = '', description = '', content = [] }: Prompt): string {
  if (title.trim() !== '') return title;
  const texts = [description, ...content.map((each) => (each.type === 'text' ? each.text : ''))];
  const line = texts.flatMap((text) => text.split('\n')).find((each) => each.trim() !== '');
  return line ? cut(line.trim(), limits.titleLength) : words[kind];
}

const cut = (text: string, length: number): string => [...text].slice(0, length).join('');

function checkOrg({ orgId }: CreateCommand, own: string): Problem[] {
  if (orgId === undefined || orgId === own) return [];
  return [{ pointer: '/orgId', code: 'value', message: 'Your key belongs to another org.' }];
}

type Read<T> = { value?: T; problems: Problem[] };

const Votes = Type.Integer({ minimum: 1, maximum: limits.votes });

/** The resource has no place for how many votes it takes; its metadata has. */
function readResolution({
  resolutionPolicy: mode = 'first',
  metadata,
}: CreateCommand): Read<NonNullable<CreateInteraction['resolution']>> {
  if (mode === 'first') return { problems: [] };
  const at = '/metadata/resolutionCount';
  const count = metadata?.resolutionCount;
  const message = `How many votes does it take? Say so in metadata.resolutionCount.`;
  if (count === undefined) return { problems: [{ pointer: at, code: 'required', message }] };
  const problems = checkShape(Votes, count, at);
  return problems.length > 0 ? { problems } : { value: { mode, count: count as number }, problems };
}

/** An option that stands for later questions needs to say which, and how far. */
function readGrant(command: CreateCommand): Read<NonNullable<CreateInteraction['grant']>> {
  const { options = [], scope = 'interaction', metadata } = command;
  if (!options.some(({ kind }) => kind.endsWith('_always'))) return { problems: [] };
  const problems = Object.hasOwn(metadata ?? {}, 'grantKey')
    ? checkShape(IdSchema, metadata?.grantKey, '/metadata/grantKey')
    : [];
  if (scope === 'interaction') {
    const message =
      'Options of kind allow_always and reject_always reach further: the scope must be run, thread or org.';
    return { problems: [...problems, { pointer: '/scope', code: 'required', message }] };
  }
  return problems.length > 0 ? { problems } : { value: { key: grantKey(command), scope }, problems };
}

/** Returns the key under which a grant is listed. Whatever its key, the grant covers only the very same question. */
function grantKey({ origin, metadata }: CreateCommand): string {
  const named = metadata?.grantKey ?? origin?.reference;
  return typeof named === 'string' ? named : (origin?.type ?? 'agent');
}

const sha256 = (text: string): string => hash('sha256', text, 'hex');
