/** The questions that a model may ask on its own: a choice, a form, or a text. */
import { type CreateInteraction, defined, type FreeObject, type ReadingOptions } from '@holdpoint/protocol';
import type { Place } from './ask-once.ts';

export const askHumanDescription =
  'Asks a person and waits for the answer. Give options for a choice, fields for a form, neither for a text. ' +
  'The result says how it ended: answered with values, declined, expired or cancelled.';

export interface HumanQuestion {
  title: string;
  details?: string;
  options?: { value: string; label: string; description?: string }[];
  multiple?: boolean;
  fields?: FreeObject[];
}

export interface AskHumanOptions extends Place, ReadingOptions {
  /** Adds what the model does not decide, such as a deadline or the responders. */
  amend?: (question: CreateInteraction) => CreateInteraction;
}

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const list = { type: 'array' } as const;
const object = { type: 'object', additionalProperties: false } as const;
const options = {
  ...list,
  items: { ...object, properties: { value: text, label: text, description: text }, required: ['value', 'label'] },
};
const fieldTypes = ['text', 'textarea', 'number', 'checkbox', 'select', 'multi_select', 'date', 'email', 'url'];
const field = {
  ...object,
  properties: {
    name: text,
    label: text,
    type: { ...text, enum: fieldTypes },
    description: text,
    required: flag,
    options: { ...options, description: 'For select and multi_select.' },
  },
  required: ['name', 'label', 'type'],
};

/** As JSON Schema. */
export const humanQuestionSchema = {
  ...object,
  properties: {
    title: { ...text, description: 'The question, in one sentence.' },
    details: { ...text, description: 'Markdown: everything the person needs to know to answer.' },
    options: { ...options, description: 'The options to choose from.' },
    multiple: { ...flag, description: 'Allows several options.' },
    fields: { ...list, description: 'The fields to fill in.', items: field },
  },
  required: ['title'],
};

export function toQuestion({ title, details, options: offered, multiple, fields }: HumanQuestion): CreateInteraction {
  const words = { title, ...defined({ body: details }) };
  if (offered && offered.length > 0) {
    const several = { minSelections: 1, maxSelections: offered.length };
    return { ...words, kind: 'choice', options: offered, ...(multiple ? several : {}), ...defined({ fields }) };
  }
  if (fields && fields.length > 0) return { ...words, kind: 'form', fields };
  return { ...words, kind: 'input', fields: [{ name: 'text', type: 'textarea', label: title, required: true }] };
}
