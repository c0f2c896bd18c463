/** Whether an answer was given to exactly this question, told without asking anybody, by WebCrypto alone. */
import { type Interaction, schemeOf } from '@holdpoint/protocol';
import { bytesOf, toHex, webCrypto } from './bytes.ts';

/**
 * With `asked`, the digest that was kept when it was asked, also whether this is the question that was asked: then it
 * matters neither who held the record in between nor what they made of it.
 */
export async function verifyAnswer(interaction: Interaction, asked = interaction.digest): Promise<boolean> {
  const { prefix, textOf } = schemeOf(interaction.digest);
  const hash = await webCrypto().digest('SHA-256', await bytesOf(textOf(interaction)));
  const digests = [asked, interaction.digest, interaction.answer?.digest];
  return digests.every((digest) => digest === `${prefix}${toHex(hash)}`);
}
