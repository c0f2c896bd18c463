/** Checks the value of a field answered by picking from options. */
import type { Problem } from '../problem.ts';
import { pointer } from '../problem.ts';
import type { ChoiceField, MultiSelectField, Option } from './choice-fields.ts';
import { fieldProblem } from './field-problem.ts';

const listed = 5;

export function checkChoice(field: ChoiceField, value: unknown, at: string): Problem[] {
  if (field.type === 'multi_select') return checkSelections(field, value, at);
  if (isOption(field.options, value)) return [];
  return [fieldProblem(field, at, 'option', `choose one of ${optionList(field.options)}.`)];
}

function checkSelections(field: MultiSelectField, value: unknown, at: string): Problem[] {
  const complain = (code: string, sentence: string, where = at) => fieldProblem(field, where, code, sentence);
  if (!Array.isArray(value)) return [complain('type', `choose from ${optionList(field.options)}, as a list.`)];
  const problems: Problem[] = [];
  const { minSelections: min = 0, maxSelections: max = field.options.length } = field;
  if (value.length < min) problems.push(complain('min-selections', `choose at least ${min}.`));
  if (value.length > max) problems.push(complain('max-selections', `choose at most ${max}.`));
  // Past the number of options there are doubles or unknowns for certain; one problem each for so many says nothing.
  if (value.length > field.options.length)
    return problems.length > 0 ? problems : [complain('duplicate', 'choose each option only once.')];
  const seen = new Set<unknown>();
  for (const [index, item] of value.entries()) {
    if (!isOption(field.options, item)) {
      problems.push(complain('option', `choose only from ${optionList(field.options)}.`, pointer(at, index)));
    } else if (seen.has(item)) {
      problems.push(complain('duplicate', 'choose each option only once.', pointer(at, index)));
    }
    seen.add(item);
  }
  return problems;
}

const isOption = (options: Option[], value: unknown) => options.some((option) => option.value === value);

function optionList(options: Option[]): string {
  const labels = options.slice(0, listed).map((option) => option.label);
  return labels.join(', ') + (options.length > listed ? ', …' : '');
}
