/** Reads a sentence as the answer to a question, if it clearly is one. Leaves other sentences to the agent. */
import {
  checkAnswerValues,
  type FreeObject,
  type InputField,
  isInputField,
  pickField,
  type Question,
} from '@holdpoint/protocol';
import { folded, ordinalsIn, placesIn, saysNothing, wordsOf, yesOrNo } from './words.ts';

type Asked = Pick<Question, 'kind' | 'fields' | 'payloadSchema'>;

/** One thing that can be picked. */
interface Candidate {
  id: string;
  label: string;
  value: string | boolean;
}

/**
 * Returns the values of an answer that fits the question, or undefined if the text is no answer. Of an approval it is the decision
 * alone: the proposed arguments stand (AN8).
 */
export function matchAnswer(question: Asked, text: string): FreeObject | undefined {
  const field = decidingField(question);
  if (!field) return undefined;
  const value = valueSaid(field, question.kind, text);
  if (value === undefined) return undefined;
  const values = { [field.name]: value };
  return checkAnswerValues(question, values).ok ? values : undefined;
}

/** The field that a sentence can answer: the options of a choice or an approval, else the only field. */
export function decidingField(question: Asked): InputField | undefined {
  if (question.payloadSchema) return undefined;
  const inputs = question.fields.filter(isInputField);
  return pickField(question) ?? (inputs.length === 1 ? inputs[0] : undefined);
}

function valueSaid(field: InputField, kind: Question['kind'], text: string): unknown {
  const candidates = candidatesOf(field);
  if (candidates.length === 0) return freeValue(field, text);
  const isMany = field.type === 'multi_select';
  // A mistaken approval is carried out. So a label counts only if the sentence says nothing else.
  const isGrave = kind === 'approval' || !('options' in field) || field.options.some(({ kind }) => isVerdict(kind));
  if (isGrave && isMarked(text)) return undefined;
  const picked = pick(candidates, text, { isMany, isGrave }) ?? decide(candidates, field, kind, text);
  const said = yesOrNo(wordsOf(text));
  if (picked?.some(({ value }) => said !== undefined && !mayMean(field, value, said))) return undefined;
  return isMany ? picked?.map(({ value }) => value) : picked?.[0]?.value;
}

/** The options that a text can name. Buttons of a yes or no can be named only if they have labels. */
function candidatesOf(field: InputField): Candidate[] {
  if ('options' in field) return field.options.map(({ value, label }) => ({ id: value, label, value }));
  if (field.type !== 'confirm' && field.type !== 'checkbox') return [];
  const [confirmLabel = '', denyLabel = ''] = field.type === 'confirm' ? [field.confirmLabel, field.denyLabel] : [];
  return [
    { id: 'true', label: confirmLabel, value: true },
    { id: 'false', label: denyLabel, value: false },
  ];
}

/** Tries an exact id or label, then labels within the text, then ordinals. The first match decides. */
function pick(
  candidates: readonly Candidate[],
  text: string,
  { isMany, isGrave }: { isMany: boolean; isGrave: boolean },
): Candidate[] | undefined {
  const only = (found: readonly Candidate[]) => (found.length === 1 ? [...found] : undefined);
  const some = (found: readonly Candidate[]) => (isMany && found.length > 1 ? [...found] : only(found));
  const whole = folded(text);
  const exact =
    only(candidates.filter(({ id }) => id === text)) ??
    only(candidates.filter(({ id }) => id === text.trim())) ??
    only(candidates.filter(({ id }) => folded(id) === whole)) ??
    only(candidates.filter(({ label }) => label !== '' && folded(label) === whole));
  if (exact) return exact;
  const words = wordsOf(text);
  const namings = namingsIn(words, candidates);
  const rest = words.filter((_, index) => !namings.some(({ start, end }) => start <= index && index < end));
  if (isUnclear(text, rest) || (isGrave && mayTurn(words, rest))) return undefined;
  const named = candidates.filter((candidate) => namings.some((naming) => naming.candidate === candidate));
  if (named.length > 0) return isGrave && !rest.every(saysNothing) ? undefined : some(named);
  // Two buttons that say yes and no have no first and second.
  const places = typeof candidates[0]?.value === 'boolean' ? [] : ordinalsIn(words, candidates.length);
  return some(candidates.filter((_, index) => places.includes(index)));
}

interface Naming {
  candidate: Candidate;
  start: number;
  end: number;
}

/** Finds labels in the text. A label inside a longer label that matches is left out. */
function namingsIn(words: readonly string[], candidates: readonly Candidate[]): Naming[] {
  const namings = candidates.flatMap((candidate): Naming[] => {
    const label = wordsOf(candidate.label);
    return placesIn(words, label).map((start) => ({ candidate, start, end: start + label.length }));
  });
  const covers = (a: Naming, b: Naming) => a.start <= b.start && a.end >= b.end && a.end - a.start > b.end - b.start;
  return namings.filter((naming) => !namings.some((other) => covers(other, naming)));
}

/** A sentence with one of these words may negate, ask or set a condition. */
const turning = new Set(
  `not no dont doesnt didnt isnt arent wasnt wont cant cannot shouldnt wouldnt never neither nor without except anything
  nothing none avoid hate dislike awful terrible bad ugly worst horrible if unless until before after when while why what
  whats which who how does instead rather other than but wait maybe perhaps unsure`.split(/\s+/),
);

/** "Not Cinematic" names the option that is not meant. Words of a named label do not count. */
const isUnclear = (text: string, rest: readonly string[]): boolean =>
  isAsking(text) || rest.some((word, index) => turning.has(word) && !isNumber(rest, index));

const isAsking = (text: string): boolean => /[?？؟¿‽⁇⁈⁉՞፧\u037e]|\p{sc=Grek}\s*;/u.test(text);

/** "Would I approve this" asks without a mark, and "no, 1" is not "no. 1" where something is approved. */
const mayTurn = (words: readonly string[], rest: readonly string[]): boolean =>
  rest.includes('no') || /^(would|will|is)$/.test(words[0] ?? '');

/** "!yes", or letters that are crossed out. The words of a text do not have these marks. */
const isMarked = (text: string): boolean =>
  /(^|\s)!\p{L}|[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5-\u20eb]/u.test(text);

/** "No. 2" */
const isNumber = (words: readonly string[], index: number): boolean =>
  words[index] === 'no' && /^\d+$/.test(words[index + 1] ?? '');

/** Picks by a plain yes or no. */
function decide(
  candidates: readonly Candidate[],
  field: InputField,
  kind: Question['kind'],
  text: string,
): Candidate[] | undefined {
  const said = isAsking(text) ? undefined : yesOrNo(wordsOf(text));
  if (said === undefined) return undefined;
  const found = candidates.filter(({ value }) => (kind === 'approval' ? isMeant(field, value, said) : value === said));
  return found.length === 1 ? found : undefined;
}

/**
 * A plain yes or no never picks an `_always` option, because a conversation does not show what the grant would cover.
 */
function isMeant(field: InputField, value: unknown, isYes: boolean): boolean {
  const options = 'options' in field ? field.options : [];
  const wanted = isYes ? 'allow_once' : 'reject_once';
  return options.some((option) => option.value === value && option.kind === wanted);
}

/**
 * Reports whether a plain yes or no may pick this. An option that rejects may be labelled "Yes", and so may one for good: its
 * label then says something else than what it does.
 */
function mayMean(field: InputField, value: unknown, isYes: boolean): boolean {
  if (typeof value === 'boolean') return value === isYes;
  const options = 'options' in field ? field.options : [];
  const kind = options.find((option) => option.value === value)?.kind;
  return !isVerdict(kind) || kind === (isYes ? 'allow_once' : 'reject_once');
}

const isVerdict = (kind: string | undefined): boolean => kind !== undefined && /^(allow|reject)_/.test(kind);

/** Reads the value of a field without options. The caller validates it. */
function freeValue(field: InputField, text: string): unknown {
  switch (field.type) {
    case 'number':
    case 'rating':
      return /^\s*[-+]?\d{1,15}(\.\d{1,15})?\s*$/.test(text) ? Number(text) : undefined;
    case 'text':
    case 'textarea':
    case 'password':
      return text;
    case 'checkbox':
    case 'confirm':
    case 'file_upload':
    case 'image_upload':
    case 'signature':
    case 'custom':
      return undefined;
    default:
      return text.trim();
  }
}
