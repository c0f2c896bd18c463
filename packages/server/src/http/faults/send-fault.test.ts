import type { FastifyRequest } from 'fastify';
import { expect, test, vi } from 'vitest';
import { toFault } from './send-fault.ts';

test('[H1] an unexpected error is logged with its cause, and the caller gets only the id of the request', () => {
  const error = vi.fn();
  const request = { id: 'request-1', raw: { destroyed: false }, log: { error } } as unknown as FastifyRequest;
  for (const thrown of [new Error('SELECT secret FROM keys'), 'a string', undefined, { code: 'ENOENT' }]) {
    const fault = toFault(thrown, request);
    expect(fault).toEqual({
      code: 'internal',
      detail: 'Something went wrong. Look for request-1 in the log of the server.',
    });
    expect(error).toHaveBeenLastCalledWith(expect.objectContaining({ err: thrown }), 'unforeseen');
  }
});
