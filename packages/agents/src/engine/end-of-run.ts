/** How an execution ended, as it is saved of the run. */
import { defined, limits, type RunWait } from '@holdpoint/protocol';
import { asJson } from './as-json.ts';
import type { Ended } from './execution.ts';
import type { End } from './journal-writer.ts';
import { runError } from './kept-error.ts';
import { JournalMismatch } from './mismatch.ts';

export function endOfRun(ended: Exclude<Ended, { type: 'released' }>): End {
  try {
    if (ended.type === 'waits') return { status: 'waiting', waitingFor: fewWaits(ended.waits) };
    if (ended.type === 'returned') return completed(asJson(ended.value, 'The agent'));
  } catch (error) {
    return failed(error, undefined);
  }
  const { error, call } = ended;
  if (!(error instanceof JournalMismatch)) return failed(error, call);
  return { status: 'failed', error: runError('journal-mismatch', error, error.call) };
}

const completed = (result: unknown): End => ({ status: 'completed', ...defined({ result }) });

const failed = (error: unknown, call: number | undefined): End => ({
  status: 'failed',
  error: runError('failed', error, call),
});

/** Of times the earliest, and of waits for a message one: what wakes the run makes all of them look. */
function fewWaits(waits: readonly RunWait[]): RunWait[] {
  const times = waits.filter(({ type }) => type === 'time') as { until: string }[];
  const until = times.map((each) => each.until).sort()[0];
  const few: RunWait[] = [
    ...waits.filter(({ type }) => type === 'interaction'),
    ...waits.filter(({ type }) => type === 'message').slice(0, 1),
    ...(until === undefined ? [] : [{ type: 'time', until } as const]),
  ];
  if (few.length <= limits.runWaits) return few;
  throw new RangeError(`The agent waits for ${few.length} things at once, and ${limits.runWaits} is the most.`);
}
