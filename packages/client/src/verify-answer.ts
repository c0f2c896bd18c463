/** Whether an answer was given to exactly this question, told without asking anybody, by WebCrypto alone. */
import { type Interaction, shownText } from '@holdpoint/protocol';
import { bytesOf, toHex } from './bytes.ts';

/**
 * With `asked`, the digest that was kept when it was asked, also whether this is the question that was asked: then it
 * matters neither who held the record in between nor what they made of it.
 */
export async function verifyAnswer(interaction: Interaction, asked = interaction.digest): Promise<boolean> {
  const hash = await crypto.subtle.digest('SHA-256', await bytesOf(shownText(interaction)));
  return [asked, interaction.digest, interaction.answer?.digest].every((digest) => digest === `sha-256:${toHex(hash)}`);
}
