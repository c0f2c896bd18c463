/** What a question is called in the journal when it was given no name: by what it asks for. */
import type { CreateInteraction } from '@holdpoint/protocol';

export function questionName({ fields, options, payloadSchema, kind }: CreateInteraction): string {
  if (fields) return fields.flatMap((field) => (field as { name?: string }).name ?? []).join(',');
  if (payloadSchema) return 'payload';
  if (kind === 'approval') return 'decision';
  return options ? 'choice' : 'text';
}
