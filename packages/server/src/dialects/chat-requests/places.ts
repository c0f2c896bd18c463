/** Where in what was sent a problem of ours lies: our pointers, in their places. */
import { pickField, pointer, type Question } from '@holdpoint/protocol';
import { moved, type Places, placeOf, rewording } from '../places.ts';
import { requestType, textField } from './question-codec.ts';
import type { RequestType } from './request-schemas.ts';

const asked: Places = [
  [/^\/label$/, '/title'],
  [/^\/(fields|submitLabel|payloadSchema)(?=\/|$)/, '/config/$1'],
  [/^\/original(\/sent(\/config)?)?/, '/config'],
  [/^\/deadline(\/at)?$/, '/expiresAt'],
];

export const placesOfConfig: Record<RequestType, Places> = {
  choice: [
    [/^\/options\/(\d+)\/value$/, '/config/options/$1/id'],
    [/^\/(options|minSelections|maxSelections)(?=\/|$)/, '/config/$1'],
    ...asked,
  ],
  text_input: [
    [/^\/fields\/0\/label$/, '/title'],
    [/^\/fields\/0\/(minLength|maxLength|pattern)$/, '/config/validation/$1'],
    [/^\/fields(\/0)?(?=\/|$)/, '/config'],
    ...asked,
  ],
  form: asked,
};

export function placesOfAnswer(question: Pick<Question, 'kind' | 'fields'>): Places {
  const type = requestType(question);
  if (type === 'form') return [];
  const name = (type === 'choice' ? pickField(question) : textField(question.fields))?.name ?? '';
  return [[beginsWith(pointer('/values', name)), type === 'choice' ? '/selectedOptionIds' : '/text']];
}

const beginsWith = (path: string) => new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?=/|$)`);

export const placesOfChat: Places = [[/^\/metadata(\/chat)?(?=\/|$)/, '']];

export const placesOfMessage: Places = [
  [/^\/text$/, '/content'],
  [/^\/files(\/\d+)?$/, '/trace/mediaIds'],
  [/^\/metadata(\/chat(\/trace)?)?(?=\/|$)/, '/trace'],
];

/** Does it, and tells what was wrong in the places of what was sent. */
export const inPlaces = <T>(places: Places, call: () => Promise<T>): Promise<T> =>
  rewording((fault) => moved(fault, (ours) => placeOf(ours, places)), call);
