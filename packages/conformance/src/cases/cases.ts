/** All cases, in the order of the report. */
import type { Case } from '../case.ts';
import { agentService } from './agent-service.ts';
import { blocks } from './blocks.ts';
import { chatCases } from './chat/chats.ts';
import { dispatchCases } from './chat/dispatch.ts';
import { chatRequestsBeyond, eventCases } from './chat/events.ts';
import { messageCases } from './chat/messages.ts';
import { exampleCases, requestCases } from './chat/requests.ts';
import { cross } from './cross.ts';
import { fieldsOfBlocks } from './fields-of-blocks.ts';
import { inputRequests } from './input-requests.ts';
import { mcp } from './mcp.ts';
import { native } from './native.ts';

export const cases: readonly Case[] = [
  ...native,
  ...exampleCases,
  ...requestCases,
  ...chatCases,
  ...messageCases,
  ...eventCases,
  ...dispatchCases,
  ...chatRequestsBeyond,
  ...inputRequests,
  ...mcp,
  ...agentService,
  ...blocks,
  ...fieldsOfBlocks,
  ...cross,
];
