/** The files of an answer: each must have been uploaded for that very field, and what was stored of it is what counts. */
import {
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

const uploads = ['file_upload', 'image_upload', 'signature'];
const refKeys = ['file_id', 'url', 'name', 'mime', 'size'];

export const isUploadField = (field: Field): field is UploadField =>
  isInputField(field) && uploads.includes(field.type);

/** Where anybody with a key or token that reaches it may read it. */
export const refOf = ({ id, name, mime, size }: StoredFile): FileRef => ({
  file_id: id,
  url: `/v1/files/${id}/content`,
  name,
  mime,
  size,
});

/** The ids that these values name, as far as any answer may name files. */
export function namedFiles(fields: readonly Field[], values: FreeObject): string[] {
  const named = fields.filter(isUploadField).flatMap(({ name }) =>
    [Object.hasOwn(values, name) ? values[name] : []]
      .flat()
      .slice(0, limits.filesPerField + 1)
      .flatMap((value) => (isNaming(value) ? [value.file_id] : [])),
  );
  return [...new Set(named)];
}

/** The values with each file as it is stored. One that is somebody else's is told of in the words for one that never was. */
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

/** A descriptor, or a part of one that has the id: what else it says is not read. */
function isNaming(value: unknown): value is { file_id: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { file_id: id } = value as { file_id?: unknown };
  return typeof id === 'string' && id.length > 0 && id.length <= limits.idLength && isPartOfRef(value);
}

const isPartOfRef = (value: object): boolean => Object.keys(value).every((key) => refKeys.includes(key));
