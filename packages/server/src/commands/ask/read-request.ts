/** The flags of holdpoint ask, and the request made from them. */
import { type CreateInteraction, defined, fieldSchemas, isObject } from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { connectionHelp, connectionOptions } from '../connection.ts';
import { durationMs, type FlagValues, readPairs, readTextFile } from '../read-flags.ts';

export const askOptions = {
  ...connectionOptions,
  choice: { type: 'string', multiple: true },
  many: { type: 'boolean' },
  approve: { type: 'boolean' },
  argument: { type: 'string', multiple: true },
  text: { type: 'boolean' },
  field: { type: 'string', multiple: true },
  form: { type: 'string' },
  body: { type: 'string' },
  thread: { type: 'string' },
  assignee: { type: 'string', multiple: true },
  deadline: { type: 'string' },
  timeout: { type: 'string' },
  'cancel-on-timeout': { type: 'boolean' },
  'count-deadline-as-approval': { type: 'boolean' },
  'idempotency-key': { type: 'string' },
  'take-secrets': { type: 'boolean' },
  link: { type: 'string' },
  plain: { type: 'boolean' },
  json: { type: 'boolean' },
  quiet: { type: 'boolean', short: 'q' },
  resume: { type: 'string' },
} as const;

export const askHelp = `holdpoint ask TITLE [flags]      send a request to people, wait, and print the answer as JSON

  holdpoint ask "Deploy 2.4.0?" --choice staging --choice production --plain
  holdpoint ask "Delete 14 files?" --approve --argument folder=/srv/old --timeout 10m
  holdpoint ask "Who is on call?" --text --assignee sam
  holdpoint ask "Release" --field version --field env:select=staging,production --field notes?:textarea
  holdpoint ask --form question.json
  holdpoint ask --resume ID

content of the request
  --choice VALUE            an option; may be repeated. --many allows several
  --approve                 allow or deny; --argument NAME=VALUE (may be repeated) shows the details of the action
  --text                    one line of text (default)
  --field NAME:TYPE         a form field; may be repeated. TYPE is text by default. NAME?:TYPE is optional.
                            NAME:select=a,b,c has options. With --approve, people can edit that argument
  --form FILE               the whole request as JSON, like the body of POST …/interactions; - reads standard input
  --body TEXT               description, in Markdown

responders, thread and time
  --assignee NAME           only this person may answer; may be repeated
  --thread ID               thread of the request, created if it does not exist; a new thread by default
  --deadline TIME           2h or 2026-11-17T09:00:00Z: time at which the request expires
  --timeout TIME            90s, 10m, 2h: time to wait here (no limit). Then the request stays open,
                            except with --cancel-on-timeout
  --idempotency-key KEY     running the script again with the same key and text finds the first request and its
                            answer, and creates no second one
  --count-deadline-as-approval
                            treat an approval accepted by its deadline as answered; default: expired
  --resume ID               wait for an earlier request

output
  --plain                   print only the value: the choice, the text, or the decision of an approval
  --take-secrets            also print secret values, which can be read once
  --link NAME               also print a link with which NAME can answer without signing in; needs an admin key
  --json                    JSON (default)
  -q, --quiet               print only failures on standard error

${connectionHelp}

exit codes
  0 answered   3 declined   4 expired   5 cancelled   6 no answer within --timeout   1 failure   2 wrong usage
`;

export type AskFlags = FlagValues<typeof askOptions>;

/** Converts flags to the body of POST …/interactions. */
export function readQuestion(title: string | undefined, flags: AskFlags, now: number): CreateInteraction {
  checkTogether(flags);
  const { form, body, assignee, deadline } = flags;
  const question = {
    ...(form === undefined ? {} : readForm(form)),
    ...kindOf(flags),
    ...defined({
      title,
      body,
      responder: assignee && { type: 'human', assignees: assignee },
      deadline: deadline === undefined ? undefined : { at: readDeadline(deadline, flags, now), outcome: 'expire' },
    }),
  };
  if (!('title' in question)) throw new ConfigError('no title: holdpoint ask "Deploy 2.4.0?"');
  // The server validates the rest and answers with pointers.
  return question as CreateInteraction;
}

function kindOf({ choice, many, approve, argument, field, text }: AskFlags): object {
  const fields = field?.map(readField);
  if (approve)
    return { kind: 'approval', ...defined({ fields, arguments: argument && readPairs('--argument', argument) }) };
  if (choice)
    return { kind: 'choice', options: choice, ...(many ? { minSelections: 1, maxSelections: choice.length } : {}) };
  if (fields) return { kind: 'form', fields };
  return text ? { kind: 'input' } : {};
}

function checkTogether({ choice, many, approve, argument, text, field, form }: AskFlags): void {
  const ways = {
    '--choice': choice,
    '--approve': approve,
    '--text': text,
    '--form': form,
    '--field': approve ? undefined : field,
  };
  const [one, other] = Object.entries(ways).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (other) throw new ConfigError(`${one} and ${other} cannot be combined`);
  if (argument && !approve) throw new ConfigError('--argument works only with --approve');
  if (many && !choice) throw new ConfigError('--many works only with --choice');
}

/** version, env:select=a,b, notes?:textarea. */
function readField(text: string): object {
  const [, name = '', optional, type = 'text', options] = /^([^:?=]+)(\?)?(?::([a-z_]+)(?:=(.*))?)?$/s.exec(text) ?? [];
  if (name === '') throw new ConfigError(`--field takes NAME:TYPE, like env:select=staging,production, not "${text}"`);
  if (!Object.hasOwn(fieldSchemas, type))
    throw new ConfigError(
      `--field ${name}: there is no type "${type}"; there are ${Object.keys(fieldSchemas).join(', ')}`,
    );
  return { name, type, required: optional === undefined, ...defined({ options: options?.split(',') }) };
}

function readForm(file: string): object {
  const text = readTextFile(file, '--form');
  try {
    const form: unknown = JSON.parse(text);
    if (isObject(form)) return form;
  } catch {}
  throw new ConfigError(`--form ${file} is not a JSON object`);
}

/** A repeated request must be identical, and a time relative to now never is. */
function readDeadline(deadline: string, { 'idempotency-key': key }: AskFlags, now: number): string {
  if (/^\d{4}-/.test(deadline) && Number.isFinite(Date.parse(deadline))) return new Date(deadline).toISOString();
  if (key !== undefined)
    throw new ConfigError('with --idempotency-key, --deadline takes a time of day like 2026-11-17T09:00:00Z');
  return new Date(now + durationMs('--deadline', deadline)).toISOString();
}
