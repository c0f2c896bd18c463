/** Makes the context of the agent's function. Every call goes through the journal of its run. */
import {
  approval,
  approvalOf,
  type FreeObject,
  type HoldpointService,
  limits,
  type Outcome,
  type Run,
} from '@holdpoint/protocol';
import type { AgentContext, AskingOptions, HistoryOptions, RetryPolicy, Said, StepInfo } from '../agent.ts';
import { type AskedQuestion, ask } from '../calls/ask.ts';
import { noted, sleep } from '../calls/clock.ts';
import { history } from '../calls/history.ts';
import type { Inbox } from '../calls/inbox.ts';
import { message, say, unread } from '../calls/messages.ts';
import { step } from '../calls/step.ts';
import { stream } from '../calls/stream.ts';
import type { CallKind } from './call.ts';

interface ContextParts {
  service: HoldpointService;
  run: Run;
  inbox: Inbox;
  now(): number;
  call<T>(kind: CallKind<T>): Promise<T>;
}

type Pieces = () => AsyncGenerator<string, unknown>;

export function agentContext({ service, run, inbox, now, call }: ContextParts): AgentContext {
  const { id: runId, threadId } = run;
  const place = { service, threadId, runId, inbox };
  const context = {
    runId,
    threadId,
    say: (said: Said | Pieces) =>
      call(typeof said === 'function' ? stream(place, said) : (say(place, said) as CallKind<unknown>)),
    ask: (question: AskedQuestion, options?: AskingOptions) => call(ask<FreeObject>(place, question, options)),
    approve: async (question: Parameters<typeof approval>[0], options?: AskingOptions) => {
      const asked = ask<FreeObject>(place, approval(question), { ...options, orMessage: false });
      return approvalOf((await call(asked)) as Outcome<FreeObject>);
    },
    step: <T>(name: string, run: (info: StepInfo) => Promise<T> | T, policy?: RetryPolicy) => {
      if (name.length > 0 && name.length <= limits.idLength) return call(step({ service, now }, name, run, policy));
      return Promise.reject(new RangeError(`A step has a name of at most ${limits.idLength} characters.`));
    },
    sleep: (time: number | Date) => call(sleep(time, now)),
    message: () => call(message(place)),
    unread: () => call(unread(place)),
    history: (limit?: number, options?: HistoryOptions) => history({ service, threadId, run }, limit, options),
    now: async () => new Date(await call(noted('now', now))),
    random: () => call(noted('random', Math.random)),
  };
  return context as AgentContext;
}
