import type { Problem } from '@holdpoint/protocol';
import type { Caller } from '../../domain/caller.ts';
import type { Context } from '../context.ts';
import { invalidInput } from '../invalid-input.ts';

/** Tells what is wrong with the URL, where one is given, together with all else. */
export async function refuseBadWebhook(
  { webhooks }: Context,
  { orgId }: Caller,
  url: string | undefined,
  problems: readonly Problem[],
): Promise<void> {
  const problem = url === undefined ? undefined : await webhooks.checkUrl(url, orgId);
  const all = [...(problem ? [problem] : []), ...problems];
  if (all.length > 0) throw invalidInput(all);
}
