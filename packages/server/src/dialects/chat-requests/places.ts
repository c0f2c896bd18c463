/** Where in what was sent a problem of ours lies: our pointers, in their places. */
import { type Fault, HoldpointError, pickField, pointer, type Question } from '@holdpoint/protocol';
import { requestType, textField } from './question-codec.ts';
import type { RequestType } from './request-schemas.ts';

export type Places = readonly (readonly [RegExp, string])[];

const asked: Places = [
  [/^\/label$/, '/title'],
  [/^\/(fields|submitLabel|payloadSchema)(?=\/|$)/, '/config/$1'],
  [/^\/spelling(\/sent(\/config)?)?/, '/config'],
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
  [/^\/metadata(\/chat(\/trace)?)?(?=\/|$)/, '/trace'],
];

/** Does it, and tells what was wrong in the places of what was sent. */
export async function inPlaces<T>(places: Places, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw error instanceof HoldpointError ? new HoldpointError(moved(error.fault, places), { cause: error }) : error;
  }
}

function moved(fault: Fault, places: Places): Fault {
  const { problems } = fault;
  if (!problems) return fault;
  const own = new Set(problems.map(({ pointer }) => pointer));
  const told = problems.flatMap((problem) => {
    const pointer = place(problem.pointer, places);
    // What we made out of a word that is itself refused, such as a label out of a title, is the same mistake.
    return pointer !== problem.pointer && own.has(pointer) ? [] : [{ ...problem, pointer }];
  });
  return { ...fault, problems: told };
}

/** The first that fits; what none fits is called the same there. */
export function place(at: string, places: Places): string {
  const found = places.find(([ours]) => ours.test(at));
  return found ? at.replace(found[0], found[1]) : at;
}
