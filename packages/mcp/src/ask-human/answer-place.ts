/** Where somebody answers a question outside the client, and whether what is said inside it counts as theirs. */
import type { Actor, Interaction } from '@holdpoint/protocol';
import type { McpCaller } from '../mcp-caller.ts';

/** Who answers where a client says that its user did; undefined where nobody who was asked can be meant. */
export async function answersAs(
  caller: McpCaller,
  interaction: Interaction,
): Promise<{ responder?: Actor } | undefined> {
  const { responder, resolution } = interaction;
  const { type, assignees = [] } = responder;
  // Several votes are several people, and one client is one.
  if (resolution.mode !== 'first' || assignees.length > 1) return undefined;
  const [person] = assignees;
  if (await caller.mayAnswerForPeople())
    return person === undefined ? {} : { responder: { type: 'human', id: person } };
  return type === 'human' || person !== undefined ? undefined : {};
}

/**
 * A link that lets its holder answer is given only to a key that may answer for people anyway, and for the one person
 * that was asked. Everybody else comes to the console and says there who they are: no client can answer by the address.
 */
export async function answerPage(caller: McpCaller, { id, responder }: Interaction): Promise<string | undefined> {
  const [person, ...others] = responder.assignees ?? [];
  if (person !== undefined && others.length === 0 && (await caller.mayAnswerForPeople())) {
    const { url } = await caller.service.mintResponderToken({ responderId: person, interactionId: id });
    if (url !== undefined) return url;
  }
  if (caller.publicUrl === undefined) return undefined;
  return `${caller.publicUrl.replace(/\/+$/, '')}/#/inbox/${encodeURIComponent(id)}`;
}
