/** The verbs that change who works on a pending interaction: claim, release, reassign, delegate, and who is viewing it. */
import { type Static, Type } from 'typebox';
import { ActorRefSchema, described, outerId, strictObject, wholeNumber } from '../base-schemas.ts';
import { ExpectedVersion, type Interaction, InteractionSchema, Reason } from '../interaction.ts';
import { limits } from '../limits.ts';
import { Done, type Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { keys, responders, viewers } from './verb-spec.ts';

const shared = { responder: Type.Optional(ActorRefSchema), expectedVersion: ExpectedVersion };
const asResponder = 'An admin key names the person in `responder`. Other callers act as themselves.';

const ClaimInteractionSchema = described(asResponder, {
  claimForMs: Type.Optional(
    wholeNumber(limits.claimForMs.min, limits.claimForMs.max, 'How long the claim stands, in milliseconds.', 900_000),
  ),
  ...shared,
});

const ReleaseInteractionSchema = described(asResponder, shared);

const ReassignInteractionSchema = strictObject({
  assignees: Type.Array(outerId(), {
    minItems: 1,
    maxItems: limits.assignees,
    description: 'The responders that may answer from now on, in place of the earlier ones.',
  }),
  reason: Type.Optional(Reason),
  expectedVersion: ExpectedVersion,
});

const DelegateInteractionSchema = described(asResponder, {
  to: outerId({ description: 'The colleague: person:<id>, person:<email>, or an id of your own application.' }),
  reason: Type.Optional(Reason),
  ...shared,
});

const ReportViewingSchema = strictObject({
  isViewing: Type.Boolean({ description: 'true while the question is on the screen, false when it no longer is.' }),
});

export type ClaimInteraction = Static<typeof ClaimInteractionSchema>;
export type ReleaseInteraction = Static<typeof ReleaseInteractionSchema>;
export type ReassignInteraction = Static<typeof ReassignInteractionSchema>;
export type DelegateInteraction = Static<typeof DelegateInteractionSchema>;
export type ReportViewing = Static<typeof ReportViewingSchema>;

export interface AssignmentVerbs {
  /** Reserves a pending interaction: until the claim ends, only its claimer may answer. A second claim extends it. */
  claimInteraction(input: { interactionId: string } & ClaimInteraction & Write): Promise<Interaction>;
  /** Ends a claim early. Only its claimer and admins may do so. */
  releaseInteraction(input: { interactionId: string } & ReleaseInteraction & Write): Promise<Interaction>;
  /** Replaces the assignees of a pending interaction. For the key that asked, and for admins. */
  reassignInteraction(input: { interactionId: string } & ReassignInteraction & Write): Promise<Interaction>;
  /** Hands an interaction to a colleague. The colleague replaces the assignee, or joins the people of a group. */
  delegateInteraction(input: { interactionId: string } & DelegateInteraction & Write): Promise<Interaction>;
  /** Publishes to open streams that the caller is viewing an interaction, or no longer is. Stores nothing. */
  reportViewing(input: { interactionId: string } & ReportViewing): Promise<Record<never, never>>;
}

export const assignmentVerbs = specsOf<AssignmentVerbs>()({
  claimInteraction: {
    callers: responders,
    summary: 'Claim an interaction',
    description:
      'Until the claim ends, only its claimer may answer; others get `interaction-claimed`. It ends by itself. Claim again to extend it.',
    input: ClaimInteractionSchema,
    output: InteractionSchema,
  },
  releaseInteraction: {
    callers: responders,
    summary: 'Release an interaction',
    description: 'Ends a claim early. Only its claimer and admins may do so.',
    input: ReleaseInteractionSchema,
    output: InteractionSchema,
  },
  reassignInteraction: {
    callers: keys,
    summary: 'Reassign an interaction',
    description: 'Replaces the assignees and ends a claim. Votes stay. Only the key that asked and admins may call it.',
    input: ReassignInteractionSchema,
    output: InteractionSchema,
  },
  delegateInteraction: {
    callers: responders,
    summary: 'Send an interaction to a colleague',
    description:
      'The colleague replaces the assignee through which you may answer. If that is a group, the colleague may answer too, and so may the group.',
    input: DelegateInteractionSchema,
    output: InteractionSchema,
  },
  reportViewing: {
    callers: viewers,
    summary: 'Report that you are viewing an interaction',
    description:
      'Publishes the ephemeral event `interaction.viewing` to open streams. Repeat it every 30 seconds while the question is on the screen.',
    input: ReportViewingSchema,
    output: Done,
  },
});
