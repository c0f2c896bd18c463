/**
 * Properties are tried on the same values in every run: a red run is then the fault of the change it was run for, and the
 * next run shows the same. `EXPLORE=1 npm test` tries new ones.
 */
import fc from 'fast-check';

const { EXPLORE } = process.env;
if (!EXPLORE) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 1 });
