/** Where the settings of dispatch are kept. */
import type { Document, Store } from '../../stores/store.ts';

export const settingsId = (threadId?: string): string => (threadId === undefined ? 'org' : `thread ${threadId}`);

type Tools = { store: Pick<Store, 'getDocument'> };

/** What was said for the org, or for one thread. */
export const loadOverrides = (
  { store }: Tools,
  { orgId, threadId }: { orgId: string; threadId?: string | undefined },
): Promise<Document<'dispatch-settings'> | undefined> =>
  store.getDocument({ orgId, type: 'dispatch-settings', id: settingsId(threadId) });
