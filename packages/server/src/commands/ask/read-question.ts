/** From flags to a question, in the words of POST …/interactions. */
import { readFileSync } from 'node:fs';
import { type CreateInteraction, defined, fieldSchemas, isObject } from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { durationMs } from '../read-flags.ts';
import { readPairs } from '../read-pairs.ts';

export interface QuestionFlags {
  choice?: string[] | undefined;
  many?: boolean | undefined;
  approve?: boolean | undefined;
  argument?: string[] | undefined;
  text?: boolean | undefined;
  field?: string[] | undefined;
  form?: string | undefined;
  body?: string | undefined;
  assignee?: string[] | undefined;
  deadline?: string | undefined;
  'idempotency-key'?: string | undefined;
}

export function readQuestion(title: string | undefined, flags: QuestionFlags, now: number): CreateInteraction {
  checkTogether(flags);
  const asked = flags.form === undefined ? {} : readForm(flags.form);
  const question = {
    ...asked,
    ...defined({ title, body: flags.body }),
    ...kindOf(flags),
    ...defined({
      responder: flags.assignee ? { type: 'human', assignees: flags.assignee } : undefined,
      deadline: flags.deadline === undefined ? undefined : { at: readDeadline(flags, now), outcome: 'expire' },
    }),
  };
  if (!('title' in question)) throw new ConfigError('say what to ask: holdpoint ask "Deploy 2.4.0?"');
  // What is wrong with it otherwise the server says, with a pointer to the place.
  return question as CreateInteraction;
}

function kindOf({ choice, many, approve, argument, field, text }: QuestionFlags): object {
  const fields = field ? { fields: field.map(readField) } : {};
  if (approve)
    return {
      kind: 'approval',
      ...fields,
      ...defined({ arguments: argument ? readPairs('--argument', argument) : undefined }),
    };
  if (choice)
    return { kind: 'choice', options: choice, ...(many ? { minSelections: 1, maxSelections: choice.length } : {}) };
  if (field) return { kind: 'form', ...fields };
  return text ? { kind: 'input' } : {};
}

function checkTogether({ choice, many, approve, argument, text, field, form }: QuestionFlags): void {
  const ways = {
    '--choice': choice,
    '--approve': approve,
    '--text': text,
    '--form': form,
    '--field': approve ? undefined : field,
  };
  const [one, other] = Object.entries(ways).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other) throw new ConfigError(`${one} and ${other} ask different things; give one of them`);
  if (argument && !approve) throw new ConfigError('--argument belongs to --approve');
  if (many && !choice) throw new ConfigError('--many belongs to --choice');
}

/** version, env:select=a,b, notes?:textarea. */
function readField(text: string): object {
  const [, name = '', optional, type = 'text', options] = /^([^:?=]+)(\?)?(?::([a-z_]+)(?:=(.*))?)?$/s.exec(text) ?? [];
  if (name === '') throw new ConfigError(`--field takes NAME:TYPE, like env:select=staging,production, not "${text}"`);
  if (!Object.hasOwn(fieldSchemas, type))
    throw new ConfigError(
      `--field ${name}: there is no type "${type}"; there are ${Object.keys(fieldSchemas).join(', ')}`,
    );
  return {
    name,
    type,
    required: optional === undefined,
    ...defined({ options: options === undefined ? undefined : options.split(',') }),
  };
}

function readForm(file: string): object {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new ConfigError(`--form ${file} cannot be read: ${(error as Error).message}`, { cause: error });
  }
  try {
    const form: unknown = JSON.parse(text);
    if (isObject(form)) return form;
  } catch {}
  throw new ConfigError(`--form ${file} is not a JSON object`);
}

/** A repeated question must be the same word for word, and a time counted from now never is. */
function readDeadline({ deadline = '', 'idempotency-key': key }: QuestionFlags, now: number): string {
  if (/^\d{4}-/.test(deadline) && Number.isFinite(Date.parse(deadline))) return new Date(deadline).toISOString();
  if (key !== undefined)
    throw new ConfigError('with --idempotency-key, --deadline takes a time of day like 2026-11-17T09:00:00Z');
  return new Date(now + durationMs('--deadline', deadline)).toISOString();
}
