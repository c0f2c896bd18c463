/** Chats, requests, messages, dispatch and events, under /api/v1: what Opengram's own server does too. */
import type { Case } from '../case.ts';
import { chatCases } from './chat/chats.ts';
import { dispatchCases } from './chat/dispatch.ts';
import { eventCases } from './chat/events.ts';
import { messageCases } from './chat/messages.ts';
import { exampleCases, requestCases } from './chat/requests.ts';

export const chatRequests: Case[] = [
  ...exampleCases,
  ...requestCases,
  ...chatCases,
  ...messageCases,
  ...eventCases,
  ...dispatchCases,
];
