/** What was looked at, what was found, and what to do about it. */
export interface Check {
  name: string;
  status: 'ok' | 'warn' | 'fail';
  found: string;
  todo?: string;
}

export const ok = (name: string, found: string): Check => ({ name, status: 'ok', found });
export const warn = (name: string, found: string, todo: string): Check => ({ name, status: 'warn', found, todo });
export const fail = (name: string, found: string, todo: string): Check => ({ name, status: 'fail', found, todo });
