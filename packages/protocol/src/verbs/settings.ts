/** The verbs of the settings of an org. */
import { type Static, Type } from 'typebox';
import { described } from '../base-schemas.ts';
import { AssuranceSchema } from '../interaction.ts';
import { specsOf } from './specs-of.ts';
import { adminReaders, admins } from './verb-spec.ts';

const approvalAssurance = {
  ...AssuranceSchema,
  description: 'The lowest assurance of new approvals. A question may ask for more. The default is any.',
};

export const OrgSettingsSchema = described('The settings of an org.', { approvalAssurance });

const UpdateOrgSettingsSchema = described('Changes only the properties that you give.', {
  approvalAssurance: Type.Optional(approvalAssurance),
});

export type OrgSettings = Static<typeof OrgSettingsSchema>;
export type UpdateOrgSettings = Static<typeof UpdateOrgSettingsSchema>;

export interface SettingsVerbs {
  /** Gets the settings of the org. */
  getOrgSettings(input: Record<never, never>): Promise<OrgSettings>;
  /** Changes the settings of the org. Existing questions keep theirs. */
  updateOrgSettings(input: UpdateOrgSettings): Promise<OrgSettings>;
}

export const settingsVerbs = specsOf<SettingsVerbs>()({
  getOrgSettings: {
    callers: adminReaders,
    summary: 'Get the settings of the org',
    description: 'Returns the lowest assurance of new approvals.',
    output: OrgSettingsSchema,
  },
  updateOrgSettings: {
    callers: admins,
    summary: 'Change the settings of the org',
    description:
      'A new minimum applies to approvals that are created from then on, within a second on every node. Existing questions keep their assurance.',
    input: UpdateOrgSettingsSchema,
    output: OrgSettingsSchema,
  },
});
