export { type Case, type Suite, suites } from './case.ts';
export { cases } from './cases/cases.ts';
export { type Result, runCases } from './check-server.ts';
export type { Fetch } from './world.ts';
