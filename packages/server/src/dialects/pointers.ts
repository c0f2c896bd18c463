/** Translates pointers: from the place of a problem in our input to its place in the request of a dialect. */
import { type Fault, HoldpointError } from '@holdpoint/protocol';

/** The first that fits is taken; what none fits is called the same there. */
export type Places = readonly (readonly [ours: RegExp, theirs: string])[];

export function placeOf(at: string, places: Places): string {
  const found = places.find(([ours]) => ours.test(at));
  return found ? at.replace(...found) : at;
}

/** Makes a call of ours; a refusal of it is told by `reworded`. */
export async function rewording<T>(reworded: (fault: Fault) => Fault, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    const fault = reworded(error.fault);
    throw fault === error.fault ? error : new HoldpointError(fault, { cause: error.cause });
  }
}

/** The same fault with its problems where they were sent. */
export function moved(fault: Fault, toTheirs: (ours: string) => string): Fault {
  const { problems } = fault;
  if (!problems) return fault;
  const own = new Set(problems.map(({ pointer }) => pointer));
  const told = problems.flatMap((problem) => {
    const pointer = toTheirs(problem.pointer);
    // What we made out of a word that is itself refused, such as a label out of a title, is the same mistake.
    return pointer !== problem.pointer && own.has(pointer) ? [] : [{ ...problem, pointer }];
  });
  // What is kept twice, as ours and as sent, is found twice.
  const once = new Map(told.map((problem) => [`${problem.pointer} ${problem.code}`, problem]));
  return { ...fault, problems: [...once.values()] };
}
