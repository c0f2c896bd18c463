import { matchesPattern } from '../pattern.ts';
import { type ValuesValidator, valuesValidator } from './values-validator.ts';

/** Prunes what is hidden, then returns the values, or every problem at once. */
export const validateValues: ValuesValidator = /* @__PURE__ */ valuesValidator(matchesPattern);
