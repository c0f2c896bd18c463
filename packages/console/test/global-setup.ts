/** The tests use the built console. */
import { buildConsole } from '../../../scripts/build-console.ts';

export const setup = (): Promise<void> => buildConsole('packages/server/dist/console');
