/** `--value NAME=VALUE` as the values of a question's fields: no terminal is needed. */
import { type FreeObject, type InputField, type Interaction, isInputField } from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { type Pair, readJson, readPair } from '../read-pairs.ts';
import { readTextFile } from '../read-text-file.ts';
import { isUploadField, readValue } from './read-value.ts';
import { NoSuchFile, type Uploads, upload } from './upload.ts';

export async function givenValues(
  uploads: Uploads,
  { fields }: Interaction,
  given: readonly string[],
): Promise<FreeObject> {
  const values: FreeObject = {};
  for (const pair of given.map((each) => readPair('--value', each))) {
    const field = fields.filter(isInputField).find(({ name }) => name === pair.name);
    const value = await givenValue(uploads, field, pair);
    // Given twice it is a list, for those who take one.
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

/** `@FILE` is what stands in the file. The path is not repeated: it may be a secret that begins like one. */
function textOf({ name, text, isJson }: Pair): string {
  if (!text.startsWith('@')) return text;
  try {
    return readTextFile(text.slice(1));
  } catch (error) {
    const instead = isJson ? '' : `; a text that itself begins with @ is given as ${name}:='"@…"'`;
    throw new ConfigError(`--value ${name}: the file after the @ cannot be read${instead}`, { cause: error });
  }
}
