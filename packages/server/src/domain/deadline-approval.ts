/** Approvals that a deadline accepts. Nobody has approved them, so only an admin key may arrange it. */
import { type Fault, type Interaction, type Option, pickedOptions, pickField } from '@holdpoint/protocol';

/** Reports whether the deadline would pick an option that allows something. */
export const acceptsAtDeadline = (asked: Interaction): boolean =>
  asked.deadline?.outcome === 'recommended' && pickedOptions(asked, asked.recommendations ?? {}).some(allows);

/**
 * Reports whether an option allows something. The kind does not matter: a choice with such an option is an approval
 * too.
 */
export const isApproval = (asked: Interaction): boolean => pickField(asked)?.options.some(allows) ?? false;

const allows = ({ kind }: Option): boolean => kind?.startsWith('allow') ?? false;

const adminOnly = (pointer: string, message: string): Fault => ({
  code: 'admin-key-needed',
  detail: message,
  problems: [{ pointer, code: 'admin-only', message }],
});

export const onlyAdmins = {
  acceptByDeadline: adminOnly(
    '/deadline/outcome',
    'Only an admin key may let a deadline accept an approval, or change one that a deadline accepts. ' +
      'Use the outcome expire or decline.',
  ),
  addResponders: adminOnly(
    '/escalations',
    'Only an admin key may change the escalations of an approval that agents may answer.',
  ),
};
