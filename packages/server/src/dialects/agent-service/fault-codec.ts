/** Renders faults in the envelope of the spec, with pointers into the command. */
import {
  defined,
  type ErrorCode,
  errorTable,
  type Fault,
  HoldpointError,
  type Interaction,
  type Problem,
  sentenceOf,
} from '@holdpoint/protocol';
import { movePointers, type PointerRules, translateFault, translatePointer } from '../pointers.ts';
import { statuses } from './request-codec.ts';

const ofCreate: PointerRules = [
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

export const createPointer = (ours: string): string => translatePointer(ours, ofCreate);

/** Makes a native call, with the pointers of its fault translated. */
export const pointedBy = <T>(toTheirs: (ours: string) => string, call: () => Promise<T>): Promise<T> =>
  translateFault((fault) => inWords(movePointers(fault, toTheirs)), call);

const inWords = (fault: Fault): Fault => (fault.problems ? { ...fault, detail: sentenceOf(fault.problems) } : fault);

export const refusal = (code: ErrorCode, problems: readonly Problem[]): HoldpointError =>
  new HoldpointError({ code, detail: sentenceOf(problems), problems });

export function renderFault({ code, detail, problems = [], current }: Fault, requestId: string) {
  const { status, retryable } = errorTable[code];
  const met = current && currentState(current);
  return {
    status,
    body: {
      code: status,
      message: detail,
      data: null,
      error: { code, retryable, requestId, problems, ...defined({ current: met }) },
    },
  };
}

/** The current state, if it is the state of an interaction. */
function currentState({ id, status, version, closedAt, decision }: NonNullable<Fault['current']>) {
  if (typeof version !== 'number' || typeof status !== 'string' || !(status in statuses)) return undefined;
  return {
    interactionId: id,
    status: statuses[status as Interaction['status']],
    version,
    ...defined({ resolvedAt: closedAt, decision }),
  };
}
