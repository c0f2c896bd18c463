/** A model that calls one tool and then repeats its result. The protocol is OpenAI's; the rest of the agent is real. */
import { randomUUID } from 'node:crypto';
import { type FakeModel, startFakeModel } from '../packages/adapters/test/fake-model.ts';

export const startModel = (tool: string, args: object): Promise<FakeModel> =>
  startFakeModel(({ calls, results }) => {
    if (calls.length > 0) return { text: [...results.values()].join(' ') };
    return { calls: [{ id: `call_${randomUUID()}`, name: tool, arguments: JSON.stringify(args) }] };
  });
