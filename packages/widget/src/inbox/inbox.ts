/** All that only an inbox needs, as one thing to fetch. */
export { InboxFeed } from '../connection/inbox-feed.ts';
export { InboxView } from './inbox-view.tsx';
