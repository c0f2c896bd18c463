/** What was said, as blocks. A type that nobody here knows passes as it is: whoever renders skips what it does not know. */
import { type Block, defined, isObject, type Message } from '@holdpoint/protocol';
import { isSafeUrl } from './safe-url.ts';

export interface ShownBlock {
  /** The same at every reading, so that who polls can tell what is new. */
  id: string;
  type: string;
  payload: Record<string, unknown>;
  meta?: Record<string, unknown>;
}

/** Whose words a conversation consists of. What a tool has said is for the agent. */
export const saidRoles = ['user', 'agent', 'system'] as const;
export type SaidRole = (typeof saidRoles)[number];
export const isSaidRole = (role: string): role is SaidRole => (saidRoles as readonly string[]).includes(role);

export const blocksOfMessage = ({ id, blocks }: Message, role: SaidRole = 'agent'): ShownBlock[] =>
  toBlocks(blocks, id, role);

/** Ids are made from where a block stands: an author who names two of them alike loses neither. */
export function toBlocks(blocks: readonly Block[], of: string, role: SaidRole = 'agent'): ShownBlock[] {
  return blocks.flatMap(({ type, payload, meta }, index) => {
    const shown = payloadOf(type, payload, role);
    return shown ? [{ id: `${of}:${index}`, type, payload: shown, ...defined({ meta }) }] : [];
  });
}

/** undefined where there is nothing that could be shown safely. */
function payloadOf(
  type: string,
  payload: Record<string, unknown>,
  role: SaidRole,
): Record<string, unknown> | undefined {
  switch (type) {
    case 'message':
      return messagePayload(payload, role);
    case 'link':
      return isSafeUrl(payload.url) ? { ...payload, label: textOr(payload.label, payload.url) } : undefined;
    case 'image':
      return isSafeUrl(payload.url) ? { ...payload, alt: textOr(payload.alt, '') } : undefined;
    case 'card':
      return cardPayload(payload);
    default:
      return payload;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';
const textOr = (value: unknown, instead: string): string => (isText(value) ? value : instead);

function messagePayload(
  { text, format, ...rest }: Record<string, unknown>,
  role: SaidRole,
): Record<string, unknown> | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  return { ...rest, role, text, format: format === 'markdown' ? 'markdown' : 'plain' };
}

/** A card with nothing to show would be an empty box. */
function cardPayload({
  title,
  text,
  image,
  actions,
  ...rest
}: Record<string, unknown>): Record<string, unknown> | undefined {
  const url = isObject(image) ? image.url : image;
  const usable = (Array.isArray(actions) ? actions : []).filter(isUsable).map(named);
  if (!isText(title) && !isText(text) && !isSafeUrl(url) && usable.length === 0) return undefined;
  return {
    ...rest,
    ...defined({
      title: isText(title) ? title : undefined,
      text: isText(text) ? text : undefined,
      image: isSafeUrl(url) ? image : undefined,
    }),
    actions: usable,
  };
}

/** A button without words could not be told from another. */
const named = (action: Record<string, unknown>) => ({
  ...action,
  label: textOr(action.label, String(action.url ?? action.value)),
});

const isUsable = (action: unknown): action is Record<string, unknown> =>
  isObject(action) &&
  (action.url === undefined || isSafeUrl(action.url)) &&
  !(action.url === undefined && action.value === undefined);

/** The values of the actions of a card that feed back into the conversation. */
export const actionValues = ({ type, payload }: Pick<Block, 'type' | 'payload'>): unknown[] =>
  type !== 'card' || !Array.isArray(payload.actions)
    ? []
    : payload.actions.flatMap((action) => (isObject(action) && action.value !== undefined ? [action.value] : []));
