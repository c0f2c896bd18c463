/** Every case, in the order of the report. */
import type { Case } from '../case.ts';
import { agentService } from './agent-service.ts';
import { blocks } from './blocks.ts';
import { chatRequestsBeyond } from './chat/beyond.ts';
import { chatRequests } from './chat-requests.ts';
import { cross } from './cross.ts';
import { fieldsOfBlocks } from './fields-of-blocks.ts';
import { inputRequests } from './input-requests.ts';
import { mcp } from './mcp.ts';
import { native } from './native.ts';

export const cases: readonly Case[] = [
  ...native,
  ...chatRequests,
  ...chatRequestsBeyond,
  ...inputRequests,
  ...mcp,
  ...agentService,
  ...blocks,
  ...fieldsOfBlocks,
  ...cross,
];
