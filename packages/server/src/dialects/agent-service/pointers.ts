/** Problems that ours finds, at the place where the caller wrote it. */
import { type ErrorCode, type Fault, HoldpointError, type Problem, sentenceOf } from '@holdpoint/protocol';
import { moved, type Places, placeOf, rewording } from '../places.ts';

const ofCreate: Places = [
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
  [/^\/original\/sent/, ''],
  [/^\/original/, ''],
];

export const createPointer = (ours: string): string => placeOf(ours, ofCreate);

/** Makes a call of ours, and tells what is wrong in their words. */
export const pointedBy = <T>(toTheirs: (ours: string) => string, call: () => Promise<T>): Promise<T> =>
  rewording((fault) => inWords(moved(fault, toTheirs)), call);

const inWords = (fault: Fault): Fault => (fault.problems ? { ...fault, detail: sentenceOf(fault.problems) } : fault);

export const refusal = (code: ErrorCode, problems: readonly Problem[]): HoldpointError =>
  new HoldpointError({ code, detail: sentenceOf(problems), problems });
