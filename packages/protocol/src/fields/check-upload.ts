/** Checks the value of an upload field: FileRefs that fit `accept`, `maxSizeMb` and `multiple`. */
import { answerLimits } from '../answer-limits.ts';
import { isObject } from '../json.ts';
import { fieldProblem, type NamedField, type Problem, pointer } from '../problem.ts';
import type { FileRef } from './file-ref.ts';

interface UploadField extends NamedField {
  type: string;
  accept?: string[];
  maxSizeMb?: number;
  multiple?: boolean;
}

const bytesPerMb = 1024 * 1024;
const fileRefKeys = ['file_id', 'url', 'name', 'mime', 'size'];

/** The file types that the field allows. An image upload without a list allows images. */
export function acceptOf(field: UploadField): string[] {
  if (field.type === 'signature') return [];
  if (field.accept && field.accept.length > 0) return field.accept;
  return field.type === 'image_upload' ? ['image/*'] : [];
}

export function isMultiple(field: UploadField): boolean {
  return field.type !== 'signature' && field.multiple === true;
}

export function checkUpload(field: UploadField, value: unknown, at: string): Problem[] {
  if (!isMultiple(field)) return checkFile(field, value, at);
  if (!Array.isArray(value)) return [fieldProblem(field, at, 'type', 'send a list of uploaded files.')];
  if (value.length > answerLimits.filesPerField) {
    return [fieldProblem(field, at, 'max-files', `attach at most ${answerLimits.filesPerField} files.`)];
  }
  return value.flatMap((file, index) => checkFile(field, file, pointer(at, index)));
}

function checkFile(field: UploadField, value: unknown, at: string): Problem[] {
  if (!isFileRef(value)) return [fieldProblem(field, at, 'type', 'upload a file and send its descriptor.')];
  const problems: Problem[] = [];
  const accept = acceptOf(field);
  if (accept.length > 0 && !accept.some((entry) => accepts(entry, value))) {
    problems.push(fieldProblem(field, pointer(at, 'mime'), 'accept', `attach a file of type ${accept.join(', ')}.`));
  }
  const maxSizeMb = field.type === 'signature' ? answerLimits.fileSizeMb : (field.maxSizeMb ?? answerLimits.fileSizeMb);
  if (value.size > maxSizeMb * bytesPerMb) {
    problems.push(fieldProblem(field, pointer(at, 'size'), 'max-size', `attach a file of at most ${maxSizeMb} MB.`));
  }
  return problems;
}

function isFileRef(value: unknown): value is FileRef {
  if (!isObject(value) || !fileRefKeys.every((key) => Object.hasOwn(value, key))) return false;
  if (Object.keys(value).length > fileRefKeys.length) return false;
  const { file_id, url, name, mime, size } = value;
  return (
    isText(file_id, answerLimits.idLength) &&
    isText(url, answerLimits.urlLength) &&
    isText(name, answerLimits.nameLength) &&
    isText(mime, answerLimits.nameLength) &&
    Number.isSafeInteger(size) &&
    (size as number) >= 0
  );
}

const isText = (value: unknown, max: number) => typeof value === 'string' && value.length > 0 && value.length <= max;

/** As the `accept` of an HTML file input: a MIME type, a family such as image/*, or a file name extension. */
export function accepts(entry: string, file: Pick<FileRef, 'name' | 'mime'>): boolean {
  const wanted = entry.trim().toLowerCase();
  if (wanted.startsWith('.')) return file.name.toLowerCase().endsWith(wanted);
  if (wanted === '*' || wanted === '*/*') return true;
  const mime = file.mime.toLowerCase().split(';', 1)[0]?.trim() ?? '';
  return wanted.endsWith('/*') ? mime.startsWith(wanted.slice(0, -1)) : mime === wanted;
}
