/** The input of an agent under test, and its output: see adapter.suite.ts. */
import { Holdpoint } from '@holdpoint/client';
import type { AskedQuestion, FinalOutcome } from '../adapter.suite.ts';

const given = (name: string): string => {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set.`);
  return value;
};

export const hp = new Holdpoint({ url: given('HOLDPOINT_URL'), key: given('HOLDPOINT_API_KEY') });
export const thread = given('THREAD_ID');
export const stateFolder = given('STATE_FOLDER');
export const modelUrl = given('MODEL_URL');
/** As the first message of the user they make the model ask. */
export const questions: AskedQuestion[] = JSON.parse(given('QUESTIONS'));

/** From now on, if it has a time. */
export const deadlineOf = ({ deadlineMs }: { deadlineMs?: number | undefined }) =>
  deadlineMs === undefined
    ? {}
    : { deadline: { at: new Date(Date.now() + deadlineMs).toISOString(), outcome: 'expire' as const } };

export const tell = (outcomes: Record<string, FinalOutcome>): void => {
  process.stdout.write(`${JSON.stringify(outcomes)}\n`);
};
