/** Schemas of paths that a dialect shares with the native API. */
import { Id } from '@holdpoint/protocol';
import { Type } from 'typebox';

export const InteractionParams = Type.Object({ interactionId: Id }, { additionalProperties: false });
