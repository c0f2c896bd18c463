/** The verbs of the admin log: who changed people, rights and settings of the org, and who signed in. */
import { type Static, Type } from 'typebox';
import { ActorSchema, FreeObjectSchema, outerId, strictObject, TimestampSchema, wholeNumber } from '../base-schemas.ts';
import { limits } from '../limits.ts';
import { type Page, page, pageOf } from './call.ts';
import { specsOf } from './specs-of.ts';
import { adminReaders } from './verb-spec.ts';

export const adminEventTypes = [
  'person.invited',
  'person.joined',
  'person.updated',
  'person.deactivated',
  'person.reactivated',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.member-added',
  'group.member-removed',
  'session.started',
  'session.ended',
  'sign-in.failed',
  'sign-in-link.created',
  'passkey.added',
  'passkey.removed',
  'provider.created',
  'provider.updated',
  'provider.deleted',
  'key.created',
  'key.updated',
  'key.revoked',
  'token.created',
  'tokens.revoked',
  'webhook.created',
  'webhook.updated',
  'webhook.deleted',
  'webhook.secret-rotated',
  'grant.revoked',
  'dispatch.updated',
  'settings.updated',
  'org.created',
  'export.created',
] as const;

const AdminEventTypeSchema = Type.Enum([...adminEventTypes]);

const SubjectSchema = strictObject(
  {
    type: Type.String(),
    id: Type.String(),
    name: Type.Optional(Type.String({ description: 'The name at that time.' })),
  },
  { description: 'The record that was changed.' },
);

export const AdminEventSchema = strictObject({
  id: Type.String(),
  at: TimestampSchema,
  type: AdminEventTypeSchema,
  actor: ActorSchema,
  subject: Type.Optional(SubjectSchema),
  data: Type.Optional(FreeObjectSchema),
});

const From = Type.Optional({ ...TimestampSchema, description: 'Only events at or after this time.' });
const Until = Type.Optional({ ...TimestampSchema, description: 'Only events before this time.' });

const AdminEventsQuery = strictObject({
  type: Type.Optional(AdminEventTypeSchema),
  actorId: Type.Optional(outerId({ description: 'Only events of this actor.' })),
  subjectId: Type.Optional(outerId({ description: 'Only events about this record.' })),
  from: From,
  until: Until,
  ...page,
});

const ExportAdminEventsSchema = strictObject({
  from: From,
  until: Until,
  cursor: page.cursor,
  limit: Type.Optional(wholeNumber(1, limits.exportedEvents, 'Maximum number of lines.', limits.exportedEvents)),
});

const AdminEventLinesSchema = Type.Object({
  lines: Type.String({
    description: 'JSON Lines, the newest event first. Every line ends with a line break, so pages can be joined.',
  }),
  next: Type.Optional(
    Type.String({ description: 'Send it as `cursor` to get the next page. Absent on the last page.' }),
  ),
});

export type AdminEventType = Static<typeof AdminEventTypeSchema>;
export type AdminEvent = Static<typeof AdminEventSchema>;
export type AdminEventsFilter = Static<typeof AdminEventsQuery>;
export type ExportAdminEvents = Static<typeof ExportAdminEventsSchema>;
export type AdminEventLines = Static<typeof AdminEventLinesSchema>;

export interface AdminEventVerbs {
  /** Lists the admin log, the newest event first. */
  listAdminEvents(input: AdminEventsFilter): Promise<Page<AdminEvent>>;
  /** Exports the admin log of a period as JSON Lines, page by page. */
  exportAdminEvents(input: ExportAdminEvents): Promise<AdminEventLines>;
}

export const adminEventVerbs = specsOf<AdminEventVerbs>()({
  listAdminEvents: {
    callers: adminReaders,
    summary: 'List the admin log',
    description:
      'Lists changes to people, groups, keys, tokens, webhooks, grants and settings, exports, sign-ins and failed sign-ins, the newest first.',
    input: AdminEventsQuery,
    output: pageOf(AdminEventSchema),
  },
  exportAdminEvents: {
    callers: adminReaders,
    summary: 'Export the admin log',
    description:
      'Returns the events of a period as JSON Lines. The call without a cursor is recorded as export.created; its pages are not.',
    input: ExportAdminEventsSchema,
    output: AdminEventLinesSchema,
  },
});
