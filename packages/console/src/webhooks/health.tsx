/** How a webhook is, in a word and in a sentence. */
import type { Webhook } from '@holdpoint/protocol';
import { Badge } from '../parts/badge.tsx';
import { agoOf, durationOf } from '../parts/time.tsx';

export function HealthBadge({ webhook: { status, disabledReason, failingSince } }: { webhook: Webhook }) {
  if (status === 'disabled') return <Badge tone={disabledReason === 'asked' ? 'plain' : 'bad'}>disabled</Badge>;
  return failingSince ? <Badge tone="warn">failing</Badge> : <Badge tone="good">healthy</Badge>;
}

/** Nothing where all is well. */
export function healthWords({ status, disabledReason, disabledAt, failingSince }: Webhook): string | undefined {
  const when = disabledAt ? ` ${agoOf(disabledAt)}` : '';
  if (status === 'disabled') {
    if (disabledReason === 'gone')
      return `Switched off${when}: its address answered 410, which says that it is gone for good. Enable it when it is back.`;
    if (disabledReason === 'failing')
      return `Switched off${when}: nothing was taken for three days. Mend the address, then enable it; it goes on where it stopped.`;
    return `Switched off${when} by hand. It keeps its place in the log.`;
  }
  if (!failingSince) return undefined;
  const forLong = durationOf(Math.max(0, Date.now() - Date.parse(failingSince)));
  return `Nothing was taken for ${forLong}. Attempts go on, further and further apart.`;
}
