/** Asks for one field until its value is valid. The error messages are those of the protocol. */
import { type FreeObject, HoldpointError, type InputField, isSecretField, validateValues } from '@holdpoint/protocol';
import { lines, oneLine, shortly } from '../terminal-text.ts';
import { isUploadField, NoSuchFile, readValue, type Uploads, upload } from './field-values.ts';
import type { Terminal } from './terminal.ts';

export interface Form {
  terminal: Terminal;
  uploads: Uploads;
  /** The address of the request in the console. */
  link: string;
  /** Values that the requester recommends. */
  recommendations: FreeObject;
}

/** The user ended the input. */
export class Left extends Error {
  override name = 'Left';
}

/** Returns undefined if the user left the field empty. */
export async function askField(form: Form, field: InputField): Promise<unknown> {
  const { terminal } = form;
  describeField(form, field);
  const suggested = suggestionOf(form, field);
  for (;;) {
    const typed = await typedFor(terminal, field, suggested);
    if (typed === '' && suggested !== undefined) return suggested;
    if (typed === '' && !field.required) return undefined;
    const value = await enteredValue(form, field, typed);
    const problems = value === undefined ? [] : problemsOf(field, value);
    if (value !== undefined && problems.length === 0) return value;
    for (const problem of problems) terminal.say(terminal.paint.bad(`  ${oneLine(problem)}`));
  }
}

function describeField({ terminal: { say, paint }, link, recommendations }: Form, field: InputField): void {
  const { label = field.name, description, required } = field;
  say(`\n${paint.bold(oneLine(label))}${required ? '' : paint.dim(' (optional)')}`);
  if (description) say(paint.dim(lines(description)));
  if ('options' in field)
    for (const [index, { value, label: words, description: more, recommended }] of field.options.entries()) {
      const isRecommended = recommended || [recommendations[field.name]].flat().includes(value);
      const notes = [more ? paint.dim(oneLine(more)) : '', isRecommended ? paint.good('recommended') : ''];
      say(`  ${index + 1}. ${oneLine(words)} ${notes.join(' ')}`.trimEnd());
    }
  if (field.type === 'signature') say(paint.dim(`enter the path of an image of your signature, or sign at ${link}`));
}

/** The recommended or default value. A decision has none, because the user must make it. */
function suggestionOf({ recommendations }: Form, field: InputField): unknown {
  if (isSecretField(field) || isUploadField(field) || field.name === 'decision') return undefined;
  return recommendations[field.name] ?? ('default' in field ? field.default : undefined);
}

const hints: Partial<Record<InputField['type'], string>> = {
  multi_select: 'numbers or values, separated by commas',
  checkbox: 'y or n',
  confirm: 'y or n',
  date: 'YYYY-MM-DD',
  time: 'HH:MM',
  datetime: 'YYYY-MM-DD HH:MM, your time',
  file_upload: 'path of a file',
  image_upload: 'path of an image',
  signature: 'path of an image',
  textarea: 'end with a line that contains only a dot',
};

async function typedFor({ ask, paint }: Terminal, field: InputField, suggested: unknown): Promise<string> {
  const isMultiple = 'multiple' in field && field.multiple;
  const hint = field.type === 'rating' ? `1 to ${field.maxStars ?? 5}` : hints[field.type];
  const notes = [
    hint,
    isMultiple ? 'separate several with commas' : undefined,
    suggested === undefined ? undefined : `Enter: ${shortly(suggested)}`,
  ];
  const shown = notes.filter((each) => each !== undefined).join('; ');
  const prompt = `${shown ? `${paint.dim(`(${shown})`)} ` : ''}> `;
  const isSecret = isSecretField(field);
  const first = await ask(prompt, { isSecret });
  if (first === undefined) throw new Left();
  if (field.type !== 'textarea' || first === '') return first;
  const typed: string[] = [];
  for (let line: string | undefined = first; line !== '.'; line = await ask('  ', { isSecret })) {
    if (line === undefined) throw new Left();
    typed.push(line);
  }
  return typed.join('\n');
}

/** Returns undefined if the value was rejected and the reason was printed. */
async function enteredValue({ terminal, uploads }: Form, field: InputField, typed: string): Promise<unknown> {
  if (!isUploadField(field)) return readValue(field, typed);
  const isMultiple = field.type !== 'signature' && field.multiple === true;
  const paths = isMultiple ? typed.split(',').map((path) => path.trim()) : [typed.trim()];
  try {
    const files = [];
    for (const path of paths.filter((each) => each !== '')) files.push(await upload(uploads, field.name, path));
    return isMultiple ? files : (files[0] ?? '');
  } catch (error) {
    const isRefused =
      error instanceof NoSuchFile || (error instanceof HoldpointError && /^file-|^invalid-/.test(error.code));
    if (!isRefused) throw error;
    terminal.say(terminal.paint.bad(`  ${oneLine(error.message)}`));
    return undefined;
  }
}

/** Validates the field alone. Its visibility was decided before. */
function problemsOf({ visibleIf: _, ...field }: InputField, value: unknown): string[] {
  const checked = validateValues([field as InputField], { [field.name]: value });
  return checked.ok ? [] : checked.problems.map(({ message }) => message);
}
