/** What these calls say where they refuse; the tools say the same, as text. */
import type { Fault } from '@holdpoint/protocol';

export interface Refusal {
  error: { code: string; message: string; details?: Fault['problems'] };
  /** The request as it stands, where somebody came too late. */
  input_request?: unknown;
}

export function toRefusal({ code, detail, problems, current }: Fault): Refusal {
  return {
    error: { code, message: detail, ...(problems ? { details: problems } : {}) },
    ...(current && 'input_request' in current ? { input_request: current.input_request } : {}),
  };
}
