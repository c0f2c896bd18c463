/** A question as blocks: what it says first, then what takes the answer. */
import { type Interaction, isInputField, limits, type Question } from '@holdpoint/protocol';
import { actionValues, type ShownBlock, toBlocks } from './to-blocks.ts';
import { type ShownField, toField, toOption } from './to-field.ts';

export function questionBlocks(question: Question & Pick<Interaction, 'id'>): ShownBlock[] {
  const { id, body, content = [] } = question;
  const said: ShownBlock[] = body ? [markdown(`${id}:body`, body)] : [];
  const blocks = toBlocks(content, id);
  const card = blocks.find((block) => answersByCard(question, block));
  if (card) return [...said, ...blocks.filter((block) => block !== card), { ...card, id }];
  return [...said, ...blocks, isChoice(question) ? choiceBlock(id, question) : formBlock(id, question)];
}

const markdown = (id: string, text: string): ShownBlock => ({
  id,
  type: 'message',
  payload: { role: 'agent', text, format: 'markdown' },
});

/** A card takes the place of a choice where each of its options is one of the card's actions. */
function answersByCard({ kind, fields }: Question, block: ShownBlock): boolean {
  const [field] = fields;
  if (kind !== 'choice' || fields.length !== 1 || !field || !('options' in field) || field.type === 'multi_select')
    return false;
  const values = actionValues(block);
  return values.length > 0 && field.options.every(({ value }) => values.includes(value));
}

/** A choice that also shows something is a form, which has a place for it. */
const isChoice = ({ kind, fields }: Question): boolean => kind === 'choice' && fields.length === 1;

function choiceBlock(id: string, { title, fields }: Question): ShownBlock {
  const field = fields.find((each) => 'options' in each);
  if (!field || !('options' in field)) throw new Error('a choice has no options');
  const { name, type, options } = field;
  const multiple = type === 'multi_select' ? { multiple: true } : {};
  return { id, type: 'choice', payload: { name, title, options: options.map(toOption), ...multiple } };
}

function formBlock(id: string, question: Question): ShownBlock {
  const { title, fields, submitLabel = 'Submit' } = question;
  return {
    id,
    type: 'form',
    payload: { title, fields: [...proposed(question), ...fields.map(toField)], submit_label: submitLabel },
  };
}

/** What would be done is shown to whoever approves it, as far as no field shows it. */
function proposed({ arguments: proposal = {}, fields }: Question): ShownField[] {
  const shown = new Set(fields.filter(isInputField).map(({ name }) => name));
  const lines = Object.entries(proposal)
    .filter(([name]) => !shown.has(name))
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return lines.length === 0 ? [] : [{ type: 'paragraph', text: lines.join('\n').slice(0, limits.bodyLength) }];
}
