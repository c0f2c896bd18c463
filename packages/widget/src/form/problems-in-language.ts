/**
 * A module of its own for `import()`. A module that is both fetched later and part of another script makes the bundler add
 * a third script.
 */
export { describeProblem } from './describe-problem.ts';
