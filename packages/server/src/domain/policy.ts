/** What a create settles besides the question: who answers, how it closes, what it belongs to. */
import type { CreateInteraction, Interaction, QuestionInput } from '@holdpoint/protocol';

export type Policy = Pick<
  Interaction,
  | 'blocking'
  | 'responder'
  | 'resolution'
  | 'deadline'
  | 'escalations'
  | 'grant'
  | 'run'
  | 'origin'
  | 'trace'
  | 'metadata'
  | 'original'
  | 'hasCallback'
>;

/** Tells the question of a create from its policy, and fills in what was not said. */
export function readPolicy(asked: CreateInteraction): { input: QuestionInput; policy: Policy } {
  const {
    blocking,
    responder,
    resolution,
    deadline,
    escalations,
    grant,
    run,
    origin,
    trace,
    metadata,
    original,
    callbackUrl,
    ...input
  } = asked;
  const policy: Policy = {
    blocking: blocking ?? true,
    responder: responder ?? { type: 'human' },
    resolution: resolution ?? { mode: 'first' },
    origin: origin ?? { type: 'agent' },
    ...(deadline ? { deadline } : {}),
    ...(escalations ? { escalations } : {}),
    ...(grant ? { grant } : {}),
    ...(run ? { run } : {}),
    ...(trace ? { trace } : {}),
    ...(metadata ? { metadata } : {}),
    ...(original ? { original } : {}),
    ...(callbackUrl === undefined ? {} : { hasCallback: true as const }),
  };
  return { input, policy };
}
