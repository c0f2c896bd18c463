/**
 * Property tests use the same values in every run, so that a failure comes from the change under test, and the
 * next run repeats it. `EXPLORE=1 npm test` tries new values.
 */
import fc from 'fast-check';

const { EXPLORE } = process.env;
if (!EXPLORE) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
