/** What a caller is shown of a run: why it failed and what came of it is for keys, and not for the people it talks to. */
import type { Run } from '@holdpoint/protocol';
import type { Caller } from '../caller.ts';

export function shownRun(caller: Caller, run: Run): Run {
  if (caller.kind === 'key') return run;
  const { result: _result, error, ...shown } = run;
  return error ? { ...shown, error: { code: error.code, message: 'The run failed.' } } : shown;
}
