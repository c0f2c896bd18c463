/** A tool call that needs a person’s approval, as a question with the call’s arguments. */
import type { Holdpoint } from '@holdpoint/client';
import {
  type Approval,
  type ApprovalOptions,
  approval,
  defined,
  type FieldSpec,
  type FreeObject,
  isObject,
  type ReadingOptions,
} from '@holdpoint/protocol';
import { askOnce, type Place } from './ask-once.ts';
import { readApproval } from './read-approval.ts';

export interface ToolCall {
  tool: string;
  toolCallId: string;
  /** The framework’s own id of the request, where it has one. */
  requestId?: string;
  /** As the model proposed them. */
  arguments: FreeObject;
  /** Why it needs one, where the framework says so. */
  reason?: string;
  /** It runs with these arguments or not at all, so that fields to edit them are left out. */
  isSealed?: boolean;
}

type Options = ApprovalOptions<string, Record<string, FieldSpec<unknown, boolean>>>;

export interface ApproveOptions extends Place, ReadingOptions {
  /** What is asked about a call, instead of only its arguments. Fields named like an argument let a person edit it. */
  question?: (call: ToolCall) => Options;
  signal?: AbortSignal;
}

export async function approveCall(
  hp: Holdpoint,
  call: ToolCall,
  { question = () => ({}), ...place }: ApproveOptions,
): Promise<Approval> {
  const words = {
    title: `Allow ${call.tool}?`,
    ...defined({ body: call.reason }),
    arguments: call.arguments,
  };
  const { fields = {}, ...rest } = question(call);
  const asked = approval({ ...words, ...rest, fields: call.isSealed ? {} : fields });
  const { toolCallId } = call;
  // There are models that number the calls of each reply anew: the id alone could be that of an earlier call.
  const at = ['approval', call.requestId, toolCallId, call.tool, call.arguments];
  return readApproval(await askOnce(hp, asked, { ...place, at, toolCallId }));
}

/** A tool may take something else than named arguments. */
export const asArguments = (input: unknown): FreeObject => (isObject(input) ? input : { input });
export const asInput = (args: FreeObject, proposed: unknown): unknown => (isObject(proposed) ? args : args.input);
