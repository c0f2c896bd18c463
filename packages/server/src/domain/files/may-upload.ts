/** Whether a file may be uploaded for a field of an interaction, and how large it may be. */
import { type Actor, type Fault, type Interaction, isInputField, limits, type UploadField } from '@holdpoint/protocol';
import { closedDetail, currentState, isAsked, isDue, tooLate } from '../state.ts';
import { transitions } from '../transitions.ts';
import { isUploadField } from './answer-files.ts';

const bytesPerMb = 1024 * 1024;

/** Keys upload for people; a person only for a question that is theirs. */
export function mayUpload(state: Interaction, by: Actor | undefined, now: number): Fault | undefined {
  const cell = transitions[state.status].answer;
  if (cell !== 'decide') return { code: cell, detail: closedDetail(state), current: currentState(state) };
  if (isDue(state, now)) return tooLate(state);
  if (by && !isAsked(state, by))
    return { code: 'wrong-responder', detail: 'The question is for somebody else.', current: currentState(state) };
  return undefined;
}

export function uploadFieldOf({ fields }: Interaction, name: string): UploadField | Fault {
  const field = fields.find((each) => isInputField(each) && each.name === name);
  if (field && isUploadField(field)) return field;
  const message = field ? `The field ${name} takes no file.` : `The question has no field named ${name}.`;
  return { code: 'invalid-input', detail: message, problems: [{ pointer: '/query/field', code: 'field', message }] };
}

export const maxBytesOf = (field: UploadField): number =>
  (field.type === 'signature' ? limits.fileSizeMb : (field.maxSizeMb ?? limits.fileSizeMb)) * bytesPerMb;
