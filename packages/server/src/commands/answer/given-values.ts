/** `--value NAME=VALUE` as the values of a question's fields: no terminal is needed. */
import { type FreeObject, type InputField, type Interaction, isInputField } from '@holdpoint/protocol';
import { ConfigError } from '../../config.ts';
import { type Pair, readJson, readPair } from '../read-pairs.ts';
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

async function givenValue(
  uploads: Uploads,
  field: InputField | undefined,
  { name, text, isJson }: Pair,
): Promise<unknown> {
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
