/** What a person is shown of a question, and nothing of its policy: all that goes to another system, or is taken from one. */
import { type CreateInteraction, type FreeObject, type Interaction, limits } from '@holdpoint/protocol';

const names = ['kind', 'title', 'body', 'content', 'fields', 'arguments', 'payloadSchema', 'submitLabel'] as const;

/** Another agent must not say who may answer, or what a deadline decides. */
export function shownOf(question: Interaction | FreeObject): CreateInteraction {
  const given = question as FreeObject;
  const shown = names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]]]));
  return Object.fromEntries(shown) as CreateInteraction;
}

/** Words of any length as those of a question. */
export function wordsOf(text: string, otherwise = 'Please answer'): { title: string; body?: string } {
  const words = text.trim();
  if (words === '') return { title: otherwise };
  if (words.length <= limits.titleLength && !words.includes('\n')) return { title: words };
  return { title: otherwise, body: words.slice(0, limits.bodyLength) };
}

/** A time that another system wrote, if it is one. */
export function deadlineAt(text: string | undefined): Pick<CreateInteraction, 'deadline'> {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? {} : { deadline: { at: new Date(time).toISOString(), outcome: 'expire' } };
}
