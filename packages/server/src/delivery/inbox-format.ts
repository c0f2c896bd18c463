/** Renders the events of inboxes: each only for those who may answer its question. */
import type { Interaction, LogEvent } from '@holdpoint/protocol';
import { isForPeople } from '../domain/caller.ts';
import { anyPerson, type Store } from '../stores/store.ts';
import type { EventFormat } from './event-channel.ts';

/** Number of questions whose assignees are remembered. Those of other questions are looked up. */
const maxKnown = 10_000;

export function inboxFormat(store: Pick<Store, 'getInteraction'>): EventFormat {
  /** The assignees of each question, with the cursor of the event that named them. */
  const known = new Map<string, { names: readonly string[]; cursor: string }>();

  /** Some followers are catching up while others are at the end of the log: the later event counts. */
  function remember(key: string, names: readonly string[], cursor: string): readonly string[] {
    if ((known.get(key)?.cursor ?? '') <= cursor) known.set(key, { names, cursor });
    const [oldest = ''] = known.keys();
    if (known.size > maxKnown) known.delete(oldest);
    return names;
  }

  return {
    /** Most events name the assignees themselves, so that following an inbox needs no lookup for each question. */
    audience(event, orgId) {
      const { interactionId: id, cursor } = event;
      if (id === undefined) return [];
      const key = `${orgId} ${id}`;
      const named = namesIn(event);
      if (named) {
        remember(key, named, cursor);
        // Those who are no longer asked must know that, too.
        return event.type === 'interaction.reassigned' ? [...named, ...event.data.removed] : named;
      }
      return (
        known.get(key)?.names ??
        store
          .getInteraction({ orgId, id })
          .then((interaction) => remember(key, interaction ? assigneesIn(interaction) : [], cursor))
      );
    },
    /** Without an id, because inbox streams are not resumed: a returning reader lists its pending questions. */
    render: (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
  };
}

/** Only creating, escalating and reassigning a question name its assignees. */
function namesIn({ type, data }: LogEvent): readonly string[] | undefined {
  if (type === 'interaction.escalated' || type === 'interaction.reassigned') return data.assignees;
  if (type !== 'interaction.created') return undefined;
  return assigneesIn(data.interaction);
}

const assigneesIn = ({ responder }: Interaction): readonly string[] =>
  responder.assignees ?? (isForPeople(responder) ? [anyPerson] : []);
