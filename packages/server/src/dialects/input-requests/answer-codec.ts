/** Translates submitted values into an answer, in the name of the caller. */
import type { Scalar, ScalarValues } from '@holdpoint/mcp';
import {
  type ActorRef,
  defined,
  type FreeObject,
  type InputField,
  type Interaction,
  isInputField,
  type Question,
} from '@holdpoint/protocol';
import { payloadName } from '../proposed-secrets.ts';
import { parsed, textOf } from './field-codec.ts';

export function toAnswer(question: Question, sent: ScalarValues): { values: FreeObject; payload?: unknown } {
  const fields = new Map(question.fields.filter(isInputField).map((field) => [field.name, field]));
  const payloadAt = payloadName(question);
  const entries: [string, unknown][] = [];
  let payload: unknown;
  for (const [name, value] of Object.entries(sent)) {
    const field = fields.get(name);
    if (name === payloadAt) payload = value === null ? undefined : parsed(value);
    // The domain rejects unknown names, also if the value is null.
    else if (!field) entries.push([name, value]);
    else if (value !== null) entries.push([name, toValue(field, value)]);
  }
  return { values: Object.fromEntries(entries), ...defined({ payload }) };
}

/** Lists and files are sent as JSON. A list with one value may be sent as that value. */
export function toValue(field: InputField, value: Scalar): unknown {
  switch (field.type) {
    case 'select':
    case 'radio':
      return textOf(value);
    case 'multi_select': {
      const list = field.options.some((option) => option.value === value) ? value : parsed(value);
      return Array.isArray(list) ? list : [textOf(value)];
    }
    case 'file_upload':
    case 'image_upload':
    case 'signature':
      return parsed(value);
    default:
      return value;
  }
}

/** The properties of a caller that decide the responder. */
export interface Answering {
  kind: string;
  role?: string;
  keyId?: string;
}

/**
 * A response does not name its responder. Tokens and agent keys answer for themselves. An admin key may answer for others, so
 * it answers for the type of responder that the question asks.
 */
export function responderOf(caller: Answering, { responder }: Interaction): { responder?: ActorRef } {
  if (caller.kind !== 'key' || caller.role !== 'admin') return {};
  return { responder: { type: responder.type === 'any' ? 'human' : responder.type, id: `key:${caller.keyId}` } };
}
