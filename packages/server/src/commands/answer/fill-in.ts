/** The fields of a question, one after the other: each is shown when what was entered before makes it visible. */
import {
  defined,
  type FreeObject,
  type Interaction,
  isInputField,
  type Problem,
  visibleFields,
} from '@holdpoint/protocol';
import { lines, oneLine } from '../shown.ts';
import { askField, type Form, Left } from './ask-field.ts';

export interface FilledIn {
  values: FreeObject;
  payload?: unknown;
}

export async function fillIn(form: Form, { fields, payloadSchema, kind }: Interaction): Promise<FilledIn> {
  const values: FreeObject = {};
  const passed = new Set<number>();
  // A rule may name a later field, so what is visible is settled anew after each.
  for (let index = nextOf(fields, values, passed); index !== undefined; index = nextOf(fields, values, passed)) {
    passed.add(index);
    const field = fields[index];
    if (!field) break;
    if (!isInputField(field)) {
      if ('text' in field) form.terminal.say(`\n${lines(field.text)}`);
      continue;
    }
    const value = await askField(form, field);
    if (value !== undefined) values[field.name] = value;
    if (kind === 'approval' && isRejected(field, value)) break;
  }
  const isAsked = payloadSchema !== undefined && fields.filter(isInputField).length === 0;
  return { values, ...defined({ payload: isAsked ? await askPayload(form) : undefined }) };
}

function nextOf(fields: Interaction['fields'], values: FreeObject, passed: ReadonlySet<number>): number | undefined {
  const visible = new Set(visibleFields(fields, values));
  const index = fields.findIndex((field, place) => !passed.has(place) && visible.has(field));
  return index === -1 ? undefined : index;
}

/** With a decision against it nothing else need be filled in. */
function isRejected(field: Interaction['fields'][number], value: unknown): boolean {
  if (!('options' in field) || field.name !== 'decision') return false;
  return field.options.some((option) => option.value === value && option.kind?.startsWith('reject'));
}

async function askPayload({ terminal }: Form): Promise<unknown> {
  for (;;) {
    const typed = await terminal.ask('the answer, as JSON > ');
    if (typed === undefined) throw new Left();
    try {
      return JSON.parse(typed);
    } catch {
      terminal.say(terminal.paint.bad('  This is not JSON.'));
    }
  }
}

export const tellProblems = ({ say, paint }: Form['terminal'], problems: readonly Problem[]): void => {
  for (const { pointer, message } of problems)
    say(paint.bad(`  ${oneLine(`${pointer.startsWith('/payload') ? `${pointer}: ` : ''}${message}`)}`));
};
