/** Makes a call that reads a list. Its cursor is a parameter there, so a bad one is named like any other parameter. */
import { rewording } from '../places.ts';
import { invalidCursor } from './fault-codec.ts';

const problems = [{ pointer: '/query/cursor', code: 'cursor', message: invalidCursor }];

export const inList = <T>(call: () => Promise<T>): Promise<T> =>
  rewording(
    (fault) => (fault.code === 'invalid-cursor' ? { code: 'invalid-input', detail: invalidCursor, problems } : fault),
    call,
  );
