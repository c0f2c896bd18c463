/** Sends one event that is in no log, and says what came of it. */
import { durationOf } from '../parts/time.tsx';
import { service } from '../service.ts';
import { toast } from '../toast.ts';
import { wordsFor } from '../words-for.ts';

export async function testWebhook(webhookId: string): Promise<void> {
  try {
    const { status, error, durationMs } = await service.testWebhook({ webhookId });
    const took = `after ${durationOf(durationMs)}`;
    if (error) toast(`The test failed ${took}: ${error}`, 'bad');
    else toast(`The test was taken: status ${status} ${took}.`);
  } catch (error) {
    toast(wordsFor(error), 'bad');
  }
}
