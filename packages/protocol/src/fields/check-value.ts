/** Checks one present value against its field: every type and every constraint. */
import type { PatternMatcher } from '../pattern.ts';
import type { Problem } from '../problem.ts';
import { checkCalendarValue } from './check-calendar-value.ts';
import { checkChoice } from './check-choice.ts';
import { checkCustom } from './check-custom.ts';
import { checkNumber, checkRating } from './check-number.ts';
import { checkText } from './check-text.ts';
import { checkUpload } from './check-upload.ts';
import type { InputField } from './field.ts';
import { fieldProblem } from './field-problem.ts';

export function checkValue(field: InputField, value: unknown, at: string, matches: PatternMatcher): Problem[] {
  switch (field.type) {
    case 'text':
    case 'textarea':
    case 'email':
    case 'tel':
    case 'url':
    case 'password':
      return checkText(field, value, at, matches);
    case 'number':
      return checkNumber(field, value, at);
    case 'rating':
      return checkRating(field, value, at);
    case 'date':
    case 'time':
    case 'datetime':
      return checkCalendarValue(field, value, at);
    case 'checkbox':
    case 'confirm':
      return typeof value === 'boolean' ? [] : [fieldProblem(field, at, 'type', 'answer true or false.')];
    case 'select':
    case 'radio':
    case 'multi_select':
      return checkChoice(field, value, at);
    case 'file_upload':
    case 'image_upload':
    case 'signature':
      return checkUpload(field, value, at);
    case 'custom':
      return checkCustom(field, value, at);
  }
}
