/** Converts typed text and --value flags to field values. */
import { createReadStream, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join } from 'node:path';
import {
  type FileRef,
  type FreeObject,
  type HoldpointService,
  type InputField,
  type Interaction,
  isInputField,
  type Option,
} from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { type Pair, readJson, readPair, readTextFile } from '../read-flags.ts';

type UploadField = Extract<InputField, { type: 'file_upload' | 'image_upload' | 'signature' }>;

export const isUploadField = (field: InputField): field is UploadField =>
  field.type === 'file_upload' || field.type === 'image_upload' || field.type === 'signature';

/** Converts typed text to the value of a field. Unreadable text stays as it is, so that validation explains it. */
export function readValue(field: Exclude<InputField, UploadField>, typed: string): unknown {
  const text = typed.trim();
  switch (field.type) {
    case 'number':
    case 'rating':
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
    case 'checkbox':
    case 'confirm':
      return booleans[text.toLowerCase()] ?? text;
    case 'select':
    case 'radio':
      return optionOf(field.options, text);
    case 'multi_select':
      return text.split(',').map((each) => optionOf(field.options, each.trim()));
    case 'datetime':
      return toInstant(text);
    case 'password':
    case 'text':
    case 'textarea':
      return typed;
    default:
      return text;
  }
}

const booleans: Record<string, boolean> = { y: true, yes: true, true: true, n: false, no: false, false: false };

/** Finds an option by value, label, or number in the printed list. */
function optionOf(options: readonly Option[], text: string): string {
  const isNamed = ({ value, label }: Option) => value === text || label.toLowerCase() === text.toLowerCase();
  const named = options.find(({ value }) => value === text) ?? options.find(isNamed);
  const placed = /^\d{1,3}$/.test(text) ? options[Number(text) - 1] : undefined;
  return (named ?? placed)?.value ?? text;
}

/** 2026-11-17 09:30 is local time. */
function toInstant(text: string): string {
  const local = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}(?::\d{2})?)$/.exec(text);
  const time = local ? new Date(`${local[1]}T${local[2]}`) : undefined;
  return time && Number.isFinite(time.getTime()) ? time.toISOString() : text;
}

export class NoSuchFile extends Error {
  override name = 'NoSuchFile';
}

export interface Uploads {
  service: HoldpointService;
  interactionId: string;
}

export async function upload({ service, interactionId }: Uploads, field: string, path: string): Promise<FileRef> {
  const file = path.startsWith('~/') ? join(homedir(), path.slice(2)) : path;
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat?.isFile()) throw new NoSuchFile(`There is no file ${path}.`);
  // The server detects the type from the content.
  return service.uploadFile({ interactionId, field, name: basename(file), content: createReadStream(file) });
}

/** Reads `--value NAME=VALUE` flags. */
export async function givenValues(
  uploads: Uploads,
  { fields }: Interaction,
  given: readonly string[],
): Promise<FreeObject> {
  const values: FreeObject = {};
  for (const pair of given.map((each) => readPair('--value', each))) {
    const field = fields.filter(isInputField).find(({ name }) => name === pair.name);
    const value = await givenValue(uploads, field, pair);
    // Repeated values of a list field are joined.
    const before = values[pair.name];
    values[pair.name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
  }
  return values;
}

async function givenValue(uploads: Uploads, field: InputField | undefined, pair: Pair): Promise<unknown> {
  const { name, isJson } = pair;
  const text = field && isUploadField(field) && !isJson ? pair.text : textOf(pair);
  if (isJson) return readJson('--value', name, text);
  if (!field) return text;
  if (!isUploadField(field)) return readValue(field, text);
  try {
    const file = await upload(uploads, name, text);
    return field.type !== 'signature' && field.multiple ? [file] : file;
  } catch (error) {
    if (error instanceof NoSuchFile) throw new ConfigError(`--value ${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** `@FILE` is the content of the file. Errors do not repeat the path, because it may be a secret that begins with @. */
function textOf({ name, text, isJson }: Pair): string {
  if (!text.startsWith('@')) return text;
  try {
    return readTextFile(text.slice(1), '--value');
  } catch (error) {
    const instead = isJson ? '' : `; write a text that begins with @ as ${name}:='"@…"'`;
    throw new ConfigError(`--value ${name}: the file after the @ cannot be read${instead}`, { cause: error });
  }
}
