/** Asks one question under a key of its own choice, and prints what came of it. */
import { Holdpoint, input } from '@holdpoint/client';

const { HOLDPOINT_URL: url = '', HOLDPOINT_API_KEY: key = '', THREAD_ID: thread = '' } = process.env;
const outcome = await new Holdpoint({ url, key }).ask(thread, input(), { idempotencyKey: 'the-question' });
const { interaction: _, ...closed } = outcome;
process.stdout.write(JSON.stringify('answer' in closed ? { status: closed.status, values: closed.values } : closed));
