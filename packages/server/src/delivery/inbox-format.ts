/** How the events of inboxes are written: each for those alone whom its question names among those who may answer. */
import type { LogEvent } from '@holdpoint/protocol';
import type { Store } from '../stores/store.ts';
import type { EventFormat } from './following.ts';

/** So many questions are remembered; of others the names are looked up. */
const maxKnown = 10_000;

interface Known {
  names: readonly string[];
  /** Of the event that said so. */
  cursor: string;
}

export function inboxFormat(store: Pick<Store, 'getInteraction'>): EventFormat {
  const known = new Map<string, Known>();

  /** Some are catching up while others are at the end of the log: what was said later counts. */
  function remember(key: string, names: readonly string[], cursor: string): readonly string[] {
    if ((known.get(key)?.cursor ?? '') <= cursor) known.set(key, { names, cursor });
    const [oldest = ''] = known.keys();
    if (known.size > maxKnown) known.delete(oldest);
    return names;
  }

  return {
    /** Most events say it themselves, so that following an inbox takes no look-up for each thing that is asked. */
    audience(event, orgId) {
      const { interactionId: id, cursor } = event;
      if (id === undefined) return [];
      const key = `${orgId} ${id}`;
      const told = namesIn(event);
      if (told) return remember(key, told, cursor);
      return (
        known.get(key)?.names ??
        store
          .getInteraction({ orgId, id })
          .then((interaction) => remember(key, interaction?.responder.assignees ?? [], cursor))
      );
    },
    /** Without an id: there is nothing to resume, who comes back lists what waits. */
    render: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  };
}

/** Only asking and escalating say who may answer. */
function namesIn({ type, data }: LogEvent): readonly string[] | undefined {
  if (type === 'interaction.escalated') return data.assignees;
  if (type !== 'interaction.created') return undefined;
  return data.interaction.responder.assignees ?? [];
}
