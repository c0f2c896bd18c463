/** Refuses requests of a dialect, and translates pointers into our input to pointers into its request. */
import { type Fault, fail, HoldpointError, type Problem, sentenceOf } from '@holdpoint/protocol';

/** The first matching rule applies. A pointer that matches none stays the same. */
export type PointerRules = readonly (readonly [ours: RegExp, theirs: string])[];

export function translatePointer(at: string, places: PointerRules): string {
  const found = places.find(([ours]) => ours.test(at));
  return found ? at.replace(...found) : at;
}

/** Refuses a request that has problems. */
export function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) fail('invalid-input', sentenceOf(problems), { problems });
}

export const refuse = (pointer: string, code: string, message: string): never =>
  fail('invalid-input', `${pointer}: ${message}`, { problems: [{ pointer, code, message }] });

/** Tokens as code writes them: `config.options[0].id`. */
export const pathOf = (tokens: readonly string[]): string =>
  tokens.map((token, index) => (index === 0 ? token : /^\d+$/.test(token) ? `[${token}]` : `.${token}`)).join('');

/** Makes a native call, and translates the fault it throws. */
export async function translateFault<T>(translate: (fault: Fault) => Fault, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    const fault = translate(error.fault);
    throw fault === error.fault ? error : new HoldpointError(fault, { cause: error.cause });
  }
}

/** Returns the fault with its pointers translated, by rules or by a function. */
export function movePointers(fault: Fault, places: PointerRules | ((ours: string) => string)): Fault {
  const { problems } = fault;
  if (!problems) return fault;
  const toTheirs = typeof places === 'function' ? places : (ours: string) => translatePointer(ours, places);
  const own = new Set(problems.map(({ pointer }) => pointer));
  const translated = problems.flatMap((problem) => {
    const pointer = toTheirs(problem.pointer);
    // We derive some values, such as a label from the title. If the title is refused too, it is one mistake.
    return pointer !== problem.pointer && own.has(pointer) ? [] : [{ ...problem, pointer }];
  });
  // A value is stored in the question and in the original, so its problem is found twice.
  const unique = new Map(translated.map((problem) => [`${problem.pointer} ${problem.code}`, problem]));
  return { ...fault, problems: [...unique.values()] };
}
