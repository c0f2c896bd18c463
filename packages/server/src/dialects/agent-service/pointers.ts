/** Problems that ours finds, at the place where the caller wrote it. */
import { HoldpointError, type Problem } from '@holdpoint/protocol';

const ofCreate: [ours: RegExp, theirs: string][] = [
  [/^\/title/, '/prompt/title'],
  [/^\/body/, '/prompt/description'],
  [/^\/content\/(\d+)\/payload/, '/prompt/content/$1'],
  [/^\/content/, '/prompt/content'],
  [/^\/options\/(\d+)\/value/, '/options/$1/id'],
  [/^\/fields.*/, '/payloadSchema'],
  [/^\/deadline\/at/, '/deadlineAt'],
  [/^\/resolution\/count/, '/metadata/resolutionCount'],
  [/^\/grant.*/, '/scope'],
  [/^\/run\/attemptId/, '/attemptId'],
  [/^\/run(\/id)?$/, '/runId'],
  [/^\/spelling\/sent/, ''],
  [/^\/spelling/, ''],
];

export function createPointer(ours: string): string {
  const found = ofCreate.find(([pattern]) => pattern.test(ours));
  return found ? ours.replace(...found) : ours;
}

/** Makes a call of ours, and tells what is wrong in their words. */
export async function pointedBy<T>(theirs: (ours: string) => string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof HoldpointError) || !error.fault.problems) throw error;
    const problems = error.fault.problems.map((problem) => ({ ...problem, pointer: theirs(problem.pointer) }));
    throw refusal(error.code, problems);
  }
}

/** So many are told in the sentence; all of them are in the list. */
const toldInWords = 5;

export function refusal(code: HoldpointError['code'], all: readonly Problem[]): HoldpointError {
  // What is kept twice, as ours and as sent, is found twice.
  const problems = [...new Map(all.map((problem) => [`${problem.pointer} ${problem.code}`, problem])).values()];
  const sentences = problems
    .slice(0, toldInWords)
    .map(({ pointer, message }) => `${pointer.slice(0, 200) || '/'}: ${message}`);
  const more = problems.length > toldInWords ? [`And ${problems.length - toldInWords} more.`] : [];
  return new HoldpointError({ code, detail: [...sentences, ...more].join(' '), problems });
}
