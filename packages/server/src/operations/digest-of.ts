/**
 * Computes the digest that an answer is bound to: the hash of everything a person is shown of a question, and of its
 * policy.
 */
import { hash } from 'node:crypto';
import { currentScheme, type Interaction } from '@holdpoint/protocol';

export const digestOf = (asked: Interaction): string =>
  currentScheme.prefix + hash('sha256', currentScheme.textOf(asked), 'hex');

/** Records of before there were digests have none until they are answered. */
export const withDigest = (interaction: Interaction): Interaction =>
  interaction.digest === undefined ? { ...interaction, digest: digestOf(interaction) } : interaction;
