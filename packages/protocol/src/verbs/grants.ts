/** The verbs of grants. A grant is an allow_always or reject_always answer. It also answers later questions if they are the same. */
import { type Static, Type } from 'typebox';
import {
  ActorRefSchema,
  ActorSchema,
  described,
  FreeObjectSchema,
  strictObject,
  TimestampSchema,
} from '../base-schemas.ts';
import { GrantOfferSchema, OriginSchema } from '../interaction.ts';
import { QuestionSchema } from '../question.ts';
import { Id, type Page, type PageRequest, page, pageOf, type Write } from './call.ts';
import { specsOf } from './specs-of.ts';
import { admins, keyReaders } from './verb-spec.ts';

/** `arguments` holds the values that must be the same in a later question, including defaults of fields. */
const GrantCoverageSchema = described(
  'The question that the grant answers, from the same requester. Grants without `covers` answer nothing.',
  {
    asker: ActorRefSchema,
    origin: OriginSchema,
    ...QuestionSchema.properties,
    arguments: FreeObjectSchema,
    variable: Type.Array(Type.String()),
  },
);

export const GrantSchema = strictObject({
  id: Type.String(),
  key: Type.String(),
  scope: GrantOfferSchema.properties.scope,
  decision: Type.Enum(['allow', 'reject']),
  covers: Type.Optional(GrantCoverageSchema),
  threadId: Type.String({
    description: 'The thread of the answer that created it. With scope thread, it applies only there.',
  }),
  interactionId: Type.String({ description: 'The interaction whose answer created it.' }),
  runId: Type.Optional(Type.String()),
  by: ActorSchema,
  voters: Type.Array(ActorSchema, {
    minItems: 1,
    description:
      'The responders that gave this answer. The grant applies only to questions that enough of them may answer.',
  }),
  createdAt: TimestampSchema,
  expiresAt: Type.Optional(TimestampSchema),
  revokedAt: Type.Optional(TimestampSchema),
  revokedBy: Type.Optional(ActorSchema),
});

export type GrantCoverage = Static<typeof GrantCoverageSchema>;
export type Grant = Static<typeof GrantSchema>;

export interface GrantVerbs {
  /** Lists grants, the newest first. */
  listGrants(input: PageRequest & { key?: string }): Promise<Page<Grant>>;
  /** Revokes a grant. It no longer answers questions. */
  revokeGrant(input: { grantId: string } & Write): Promise<Grant>;
}

export const grantVerbs = specsOf<GrantVerbs>()({
  listGrants: {
    callers: keyReaders,
    summary: 'List grants, the newest first',
    description: 'Lists the grants of the org, including expired and revoked ones.',
    input: strictObject({ key: Type.Optional(Id), ...page }),
    output: pageOf(GrantSchema),
  },
  revokeGrant: {
    callers: admins,
    summary: 'Revoke a grant',
    description: 'It no longer answers questions. Its earlier answers remain.',
    output: GrantSchema,
  },
});
