/** The requests of the demo: a form with conditional fields, an approval with editable arguments, a signature. */
import type { AgentContext, Approval, Outcome } from '@holdpoint/agents';
import {
  type AnswerOf,
  choice,
  datetime,
  defined,
  type FreeObject,
  form,
  type HoldpointService,
  number,
  radio,
  rating,
  select,
  signature,
  text,
  textarea,
} from '@holdpoint/protocol';

export const demoAgent = 'release-manager';
export const colleague = 'sam';

export interface DemoWorld {
  service: HoldpointService;
  /** A link with which the colleague can answer this one request. */
  linkFor(interactionId: string): Promise<string>;
  /** The origin at which the user opened this thread. */
  originOf(threadId: string): Promise<string>;
  /** 1 is slow enough to watch. Tests use less. */
  pace: number;
}

const inProduction = { all_of: [{ field: 'environment', op: 'equals' as const, value: 'production' }] };
const wasBad = { all_of: [{ field: 'rating', op: 'in' as const, value: [1, 2] }] };

/** Earlier values, for asking again. */
type Given = Partial<Record<'version' | 'environment' | 'ticket' | 'window', string>>;

const detailsForm = (given: Given, tonight: string) =>
  form(
    {
      version: text({
        default: given.version ?? '2.4.0',
        pattern: '^\\d+\\.\\d+\\.\\d+$',
        description: 'Three numbers, such as 2.4.0.',
      }),
      environment: radio(
        [
          { value: 'staging', label: 'Staging', description: 'For testing.' },
          { value: 'production', label: 'Production', description: 'For customers. Shows two more fields.' },
        ],
        defined({ default: given.environment }),
      ),
      ticket: text({
        label: 'Change ticket',
        default: given.ticket ?? 'OPS-1204',
        pattern: '^[A-Z]{2,6}-\\d+$',
        visibleIf: inProduction,
      }),
      window: datetime({
        label: 'Start of the maintenance window',
        default: given.window ?? tonight,
        visibleIf: inProduction,
      }),
      notes: textarea({
        label: 'Release notes',
        required: false,
        rows: 3,
        placeholder: 'What would you tell a colleague?',
      }),
    },
    {
      title: 'What should be released?',
      body: 'Choose **Production** to see two more fields. Fields can depend on other fields.',
      submitLabel: 'Continue',
    },
  );

export type Details = AnswerOf<ReturnType<typeof detailsForm>>;

export interface Plan {
  details: Details;
  args: FreeObject;
  edited: boolean;
  approvedBy: string;
}

const dayMs = 86_400_000;

export async function askForDetails(ctx: AgentContext, given: Given = {}): Promise<Outcome<Details>> {
  const now = (await ctx.now()).getTime();
  const tonight = `${new Date(now + dayMs).toISOString().slice(0, 10)}T22:00:00Z`;
  return ctx.ask(detailsForm(given, tonight), { name: 'details' });
}

export function askForApproval(ctx: AgentContext, { version, environment, ticket }: Details): Promise<Approval> {
  return ctx.approve(
    {
      title: `Roll out ${version} to ${environment}?`,
      body: 'This is my plan. You can change the strategy and the step size before you approve it.',
      arguments: {
        version,
        environment,
        ...defined({ ticket: ticket || undefined }),
        strategy: 'rolling',
        percentPerStep: 25,
      },
      fields: {
        strategy: select(['rolling', 'blue-green', 'canary'], { label: 'Strategy' }),
        percentPerStep: number({ label: 'Percent per step', min: 5, max: 100, step: 5, integer: true }),
      },
      options: [
        { value: 'allow', label: 'Roll out', kind: 'allow_once', variant: 'primary' },
        { value: 'deny', label: 'Deny', kind: 'reject_once', variant: 'danger' },
      ],
    },
    { name: 'approval' },
  );
}

/** Asked after a denial. No answer counts as stop. */
export async function askWhatNow(ctx: AgentContext, reason: string | undefined): Promise<'change' | 'stop'> {
  const outcome = await ctx.ask(
    choice(
      [
        { value: 'change', label: 'Change the details', variant: 'primary' },
        { value: 'stop', label: 'Stop here' },
      ],
      {
        title: 'The plan was denied. What should happen next?',
        ...defined({ body: reason ? `You said: “${reason}”` : undefined }),
      },
    ),
    { name: 'what now' },
  );
  return outcome.status === 'answered' ? outcome.values.choice : 'stop';
}

const signatureForm = ({ version }: Details) =>
  form(
    {
      signature: signature({ label: 'Your signature' }),
      rating: rating({ label: 'How was this experience?' }),
      complaint: textarea({ label: 'What should be better?', required: false, rows: 3, visibleIf: wasBad }),
    },
    { title: `Sign off ${version}`, body: 'Draw with a mouse or a finger.', submitLabel: 'Sign' },
  );

export type Signed = Outcome<AnswerOf<ReturnType<typeof signatureForm>>>;

export const askForSignature = (ctx: AgentContext, { details }: Plan): Promise<Signed> =>
  ctx.ask(signatureForm(details), { name: 'signature' });

/** Decided by two people or by the deadline. */
export type Announced = Outcome<{ choice: 'now' | 'tomorrow' }>;
