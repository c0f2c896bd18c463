/** What an answer is bound to: the hash of all that a person is shown of a question. */
import { hash } from 'node:crypto';
import { type Interaction, type Question, shownText } from '@holdpoint/protocol';

export const digestOf = (question: Question): string => `sha-256:${hash('sha256', shownText(question), 'hex')}`;

/** Records of before there were digests have none until they are answered. */
export const withDigest = (interaction: Interaction): Interaction =>
  interaction.digest === undefined ? { ...interaction, digest: digestOf(interaction) } : interaction;
