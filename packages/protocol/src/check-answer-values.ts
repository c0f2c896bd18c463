/** Checks the values of an answer, also against the patterns of its fields. */
import { type AnswerChecker, answerChecker } from './answer-checker.ts';
import { validateValues } from './fields/validate-values.ts';

export const checkAnswerValues: AnswerChecker = /* @__PURE__ */ answerChecker(validateValues);
