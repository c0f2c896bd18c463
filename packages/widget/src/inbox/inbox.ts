/** All that only an inbox needs, as one thing to fetch. */
import { inbox } from '../style/inbox.ts';

export { InboxFeed } from '../connection/inbox-feed.ts';
export { InboxView } from './inbox-view.tsx';

export const inboxSheet = new CSSStyleSheet();
inboxSheet.replaceSync(inbox);
