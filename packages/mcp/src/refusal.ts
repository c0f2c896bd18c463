/** What these calls say where they refuse; the tools say the same, as text. */

import type { Fault } from '@holdpoint/protocol';
import { defined } from '@holdpoint/protocol';

export interface Refusal {
  error: { code: string; message: string; details?: Fault['problems'] };
  /** The request as it stands, where somebody came too late. */
  input_request?: unknown;
}

export function toRefusal({ code, detail, problems, current }: Fault): Refusal {
  return {
    error: { code, message: detail, ...defined({ details: problems }) },
    ...defined({ input_request: current && 'input_request' in current ? current.input_request : undefined }),
  };
}
