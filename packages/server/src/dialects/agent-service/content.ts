/** What is shown beside the words: their TaskContent and our blocks. */
import { type Block, checkShape } from '@holdpoint/protocol';
import { BinarySchema, type TaskContent } from './interaction-request.ts';

export function toBlock(content: TaskContent): Block {
  const { type, ...payload } = content;
  return type === 'text'
    ? { type: 'message', payload: { ...payload, format: 'markdown' } }
    : { type, payload: { ...payload } };
}

/** A block that has no counterpart is told whole, as data, so that nothing of a question is hidden from who answers it. */
export function fromBlock(block: Block): TaskContent {
  const { type, payload } = block;
  if (type === 'message' && typeof payload.text === 'string') return { type: 'text', text: payload.text };
  if (type === 'data' && Object.hasOwn(payload, 'data')) return { type: 'data', data: payload.data };
  const binary = { ...payload, type: 'binary' };
  if (type === 'binary' && checkShape(BinarySchema, binary).length === 0) return binary as TaskContent;
  return { type: 'data', data: block };
}
