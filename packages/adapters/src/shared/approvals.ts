/** An action that needs a person's approval: its question, the arguments that the person may edit, and the answer. */
import type { Holdpoint } from '@holdpoint/client';
import {
  type Approval,
  type ApprovalOptions,
  approval,
  approvalOf,
  confirm,
  defined,
  type Field,
  type FieldSpec,
  type FreeObject,
  isObject,
  number,
  type Outcome,
  pickName,
  type ReadingOptions,
  text,
  textarea,
} from '@holdpoint/protocol';
import { askOnce, type Place } from './ask-once.ts';

export interface ToolCall {
  tool: string;
  toolCallId: string;
  /** The id that the framework gave its approval request, if it has one. */
  requestId?: string;
  /** As the model proposed them. */
  arguments: FreeObject;
  /** Why the call needs an approval, if the framework gives a reason. */
  reason?: string;
  /** The call runs with exactly these arguments or not at all. The question then has no fields to edit them. */
  isSealed?: boolean;
}

type Specs = Record<string, FieldSpec<unknown, boolean>>;

export interface ApproveOptions extends Place, ReadingOptions {
  /** Adds to the question, which otherwise shows only the arguments. A field named like an argument edits it. */
  question?: (call: ToolCall) => ApprovalOptions<string, Specs>;
  signal?: AbortSignal;
}

export async function approveCall(
  hp: Holdpoint,
  call: ToolCall,
  { question = () => ({}), ...place }: ApproveOptions,
): Promise<Approval> {
  const words = { title: `Allow ${call.tool}?`, ...defined({ body: call.reason }), arguments: call.arguments };
  const { fields = {}, ...rest } = question(call);
  const asked = approval({ ...words, ...rest, fields: call.isSealed ? {} : fields });
  const { toolCallId } = call;
  // Some models number the calls of each reply from the start: the id alone could be the id of an earlier call.
  const at = ['approval', call.requestId, toolCallId, call.tool, call.arguments];
  return readApproval(await askOnce(hp, asked, { ...place, at, toolCallId }));
}

/** Fields that edit the arguments of an action. An argument that no field can hold is only shown. */
export function editableArguments(args: FreeObject): Specs {
  const editable = Object.entries(args).filter(([name]) => name !== '' && name !== pickName.approval);
  return defined(Object.fromEntries(editable.map(([name, value]) => [name, fieldFor(value)]))) as Specs;
}

function fieldFor(value: unknown): FieldSpec<unknown, boolean> | undefined {
  if (typeof value === 'number') return number({ required: false });
  if (typeof value === 'boolean') return confirm({ required: false });
  if (typeof value !== 'string') return undefined;
  return value.includes('\n') || value.length > 80 ? textarea({ required: false }) : text({ required: false });
}

/** A text that the person cleared is `''`. Without the argument, a tool that requires the text would reject the call. */
export function readApproval(outcome: Outcome<FreeObject>): Approval {
  const read = approvalOf(outcome);
  if (!read.approved) return read;
  const { fields, arguments: proposed = {} } = outcome.interaction;
  const isCleared = (name: string) => typeof proposed[name] === 'string' && !Object.hasOwn(read.arguments, name);
  const cleared = fields.filter(isTextField).filter(({ name }) => isCleared(name));
  const texts = Object.fromEntries(cleared.map(({ name }) => [name, '']));
  return { ...read, arguments: { ...read.arguments, ...texts } };
}

const textTypes: readonly string[] = ['text', 'textarea', 'email', 'tel', 'url', 'password'];
const isTextField = (field: Field): field is Extract<Field, { name: string }> => textTypes.includes(field.type);

/** The arguments of a call as an object, also if the tool takes something else. `asInput` is the reverse. */
export const asArguments = (input: unknown): FreeObject => (isObject(input) ? input : { input });
export const asInput = (args: FreeObject, proposed: unknown): unknown => (isObject(proposed) ? args : args.input);

/** Parses JSON that another system wrote. Text that is no JSON is returned as it is. */
export function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
