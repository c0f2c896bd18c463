/** The service: every verb, as transports offer it and clients call it. */
import type { AccessVerbs } from './verbs/access.ts';
import type { AnswerVerbs } from './verbs/answers.ts';
import type { DispatchVerbs } from './verbs/dispatch.ts';
import type { EventVerbs } from './verbs/events.ts';
import type { FileVerbs } from './verbs/files.ts';
import type { GrantVerbs } from './verbs/grants.ts';
import type { InteractionVerbs } from './verbs/interactions.ts';
import type { MessageVerbs } from './verbs/messages.ts';
import type { RunVerbs } from './verbs/runs.ts';
import type { SessionVerbs } from './verbs/sessions.ts';
import type { ThreadVerbs } from './verbs/threads.ts';
import type { WebhookVerbs } from './verbs/webhooks.ts';

export interface HoldpointService
  extends ThreadVerbs,
    MessageVerbs,
    InteractionVerbs,
    AnswerVerbs,
    FileVerbs,
    DispatchVerbs,
    RunVerbs,
    WebhookVerbs,
    GrantVerbs,
    AccessVerbs,
    SessionVerbs,
    EventVerbs {}
