/** A module of its own. If a module is both fetched later and part of another script, the two need a third script. */
export { describeProblem } from './describe-problem.ts';
