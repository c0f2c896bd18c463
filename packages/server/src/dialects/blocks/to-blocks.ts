/** What was said, as blocks. A type that nobody here knows passes as it is: whoever renders skips what it does not know. */
import { type Block, isObject, type Message } from '@holdpoint/protocol';
import { isSafeUrl } from './safe-url.ts';

export interface ShownBlock {
  /** The same at every reading, so that who polls can tell what is new. */
  id: string;
  type: string;
  payload: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

export const blocksOfMessage = ({ id, blocks }: Message): ShownBlock[] => toBlocks(blocks, id);

/** Ids are made from where a block stands: an author who names two of them alike loses neither. */
export function toBlocks(blocks: readonly Block[], of: string): ShownBlock[] {
  return blocks.flatMap(({ type, payload, meta }, index) => {
    const shown = payloadOf(type, payload);
    return shown ? [{ id: `${of}:${index}`, type, payload: shown, ...(meta ? { meta } : {}) }] : [];
  });
}

/** undefined where there is nothing that could be shown safely. */
function payloadOf(type: string, payload: Record<string, unknown>): Record<string, unknown> | undefined {
  switch (type) {
    case 'message':
      return messagePayload(payload);
    case 'link':
    case 'image':
      return isSafeUrl(payload.url) ? payload : undefined;
    case 'card':
      return cardPayload(payload);
    default:
      return payload;
  }
}

function messagePayload({ text, format, ...rest }: Record<string, unknown>): Record<string, unknown> | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  return { ...rest, role: 'agent', text, format: format === 'markdown' ? 'markdown' : 'plain' };
}

function cardPayload({ image, actions, ...rest }: Record<string, unknown>): Record<string, unknown> {
  const url = isObject(image) ? image.url : image;
  return {
    ...rest,
    ...(isSafeUrl(url) ? { image } : {}),
    actions: (Array.isArray(actions) ? actions : []).filter(isUsable),
  };
}

const isUsable = (action: unknown): boolean =>
  isObject(action) &&
  (action.url === undefined || isSafeUrl(action.url)) &&
  !(action.url === undefined && action.value === undefined);

/** The values of the actions of a card that feed back into the conversation. */
export const actionValues = ({ type, payload }: Pick<Block, 'type' | 'payload'>): unknown[] =>
  type !== 'card' || !Array.isArray(payload.actions)
    ? []
    : payload.actions.flatMap((action) => (isObject(action) && action.value !== undefined ? [action.value] : []));
