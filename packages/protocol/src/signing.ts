/** The parts of a signed answer that a page computes: the values as the server stores them, and the text of the challenge. */
import { answerChallenge } from './answer-challenge.ts';
import { answerChecker } from './answer-checker.ts';
import { valuesValidator } from './fields/values-validator.ts';
import type { Interaction } from './interaction.ts';
import { withoutSecrets } from './secret-values.ts';

export { answerChallenge };

/** The form checks patterns before, and the server after. They change no value, so none is checked here. */
const checkValues = /* @__PURE__ */ answerChecker(/* @__PURE__ */ valuesValidator(() => true));

/** Returns the text to sign for these values of a form, or undefined if the server will refuse them. */
export function challengeOf(
  interaction: Interaction,
  personId: string,
  { values = {}, payload }: { values?: Readonly<Record<string, unknown>>; payload?: unknown },
): string | undefined {
  const checked = checkValues(interaction, values);
  if (!checked.ok) return undefined;
  const { shown, secrets } = withoutSecrets(interaction.fields, checked.values);
  return answerChallenge({
    ...{ interactionId: interaction.id, digest: interaction.digest, personId },
    ...{ decision: checked.isRejected ? 'declined' : 'accepted', values: shown, payload },
    ...(secrets ? { secretFields: Object.keys(secrets) } : {}),
  });
}

/** Returns the text to sign to decline. */
export const challengeOfDecline = ({ id, digest }: Interaction, personId: string): string =>
  answerChallenge({ interactionId: id, digest, personId, decision: 'declined', values: {} });
