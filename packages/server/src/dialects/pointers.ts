/** Translates pointers: from the place of a problem in our input to its place in the request of a dialect. */
import { type Fault, HoldpointError } from '@holdpoint/protocol';

/** The first matching rule applies. A pointer that matches none stays the same. */
export type PointerRules = readonly (readonly [ours: RegExp, theirs: string])[];

export function translatePointer(at: string, places: PointerRules): string {
  const found = places.find(([ours]) => ours.test(at));
  return found ? at.replace(...found) : at;
}

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

/** Returns the fault with its pointers translated. */
export function movePointers(fault: Fault, toTheirs: (ours: string) => string): Fault {
  const { problems } = fault;
  if (!problems) return fault;
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
