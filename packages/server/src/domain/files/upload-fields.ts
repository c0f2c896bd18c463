/** Upload fields: whether a file may be uploaded for one, and the files of an answer, which must have been uploaded for that field. */
import {
  type Fault,
  type Field,
  type FileRef,
  type FreeObject,
  type Interaction,
  isInputField,
  limits,
  type Problem,
  pointer,
  type StoredFile,
  type UploadField,
} from '@holdpoint/protocol';
import type { Responder } from '../command.ts';
import { findStanding, namesResponders } from '../responder.ts';
import { isDue, tooLate } from '../state.ts';
import { refusal } from '../transitions.ts';

const uploads = ['file_upload', 'image_upload', 'signature'];
const refKeys = ['file_id', 'url', 'name', 'mime', 'size'];

export const isUploadField = (field: Field): field is UploadField =>
  isInputField(field) && uploads.includes(field.type);

/** Every key, and every token with this thread in its scope, may read the URL. */
export const refOf = ({ id, name, mime, size }: StoredFile): FileRef => ({
  file_id: id,
  url: `/v1/files/${id}/content`,
  name,
  mime,
  size,
});

/** Returns the ids of files that these values name, up to the limit of files per field. */
export function namedFiles(fields: readonly Field[], values: FreeObject): string[] {
  const named = fields.filter(isUploadField).flatMap(({ name }) =>
    [Object.hasOwn(values, name) ? values[name] : []]
      .flat()
      .slice(0, limits.filesPerField + 1)
      .flatMap((value) => (isNaming(value) ? [value.file_id] : [])),
  );
  return [...new Set(named)];
}

/** Replaces each file by its stored reference. A file of another field gets the same error as a file that does not exist. */
export function withStoredFiles(
  { id, fields }: Pick<Interaction, 'id' | 'fields'>,
  values: FreeObject,
  files: readonly StoredFile[],
): { values: FreeObject; problems: Problem[] } {
  if (!fields.some(isUploadField)) return { values, problems: [] };
  const problems: Problem[] = [];
  const replaced = Object.entries(values).map(([name, value]): [string, unknown] => {
    const field = fields.find((each) => isUploadField(each) && each.name === name) as UploadField | undefined;
    if (!field) return [name, value];
    const stored = (named: unknown, at: string): unknown => {
      if (!isNaming(named)) return named;
      const file = files.find((each) => each.id === named.file_id && each.interactionId === id && each.field === name);
      if (file) return refOf(file);
      const message = `${field.label ?? name}: there is no file ${named.file_id} for this field; upload it first.`;
      problems.push({ pointer: pointer(at, 'file_id'), code: 'unknown-file', message });
      return named;
    };
    const at = pointer('/values', name);
    return [name, Array.isArray(value) ? value.map((each, i) => stored(each, pointer(at, i))) : stored(value, at)];
  });
  return { values: Object.fromEntries(replaced), problems };
}

/** A file reference, or a part of one with the id. Its other properties are not read. */
function isNaming(value: unknown): value is { file_id: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { file_id: id } = value as { file_id?: unknown };
  if (typeof id !== 'string' || id.length === 0 || id.length > limits.idLength) return false;
  return Object.keys(value).every((key) => refKeys.includes(key));
}

/** Keys upload for people. A person may upload only for a question that they may answer. */
export function mayUpload(state: Interaction, responder: Responder | undefined, now: number): Fault | undefined {
  const fault = refusal(state, 'answer');
  if (fault) return fault;
  if (isDue(state, now)) return tooLate(state);
  if (!responder) return undefined;
  const standing = findStanding(state, responder, now);
  // Somebody who has voted, or meets a claim, may still prepare a file.
  return 'code' in standing && namesResponders(standing) ? standing : undefined;
}

export function uploadFieldOf({ fields }: Interaction, name: string): UploadField | Fault {
  const field = fields.find((each) => isInputField(each) && each.name === name);
  if (field && isUploadField(field)) return field;
  const message = field ? `The field ${name} does not accept files.` : `The question has no field named ${name}.`;
  return { code: 'invalid-input', detail: message, problems: [{ pointer: '/query/field', code: 'field', message }] };
}

export const maxBytesOf = (field: UploadField): number =>
  (field.type === 'signature' ? limits.fileSizeMb : (field.maxSizeMb ?? limits.fileSizeMb)) * 1024 * 1024;
