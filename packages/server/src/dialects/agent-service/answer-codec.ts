/** Translates a RespondInteractionCommand into an answer or a decline, and an answer into the response of the resource. */
import {
  type ActorRef,
  type Answer,
  type Decline,
  defined,
  type FreeObject,
  type Interaction,
  isInputField,
  type Problem,
  pickedOptions,
  pickField,
  pointer,
  type Role,
  type SubmitAnswer,
} from '@holdpoint/protocol';
import type { RespondCommand } from './schemas.ts';

type Question = Pick<Interaction, 'kind' | 'fields' | 'payloadSchema'>;

/**
 * The meaning of the payload. `payload`: as in the payloadSchema. `value`: the value of the only field. `values`: the values by
 * field name. `none`: the option says all.
 */
type PayloadShape = 'payload' | 'value' | 'values' | 'none';

export function payloadShape(question: Question): PayloadShape {
  if (question.payloadSchema) return 'payload';
  if (question.kind === 'input') return 'value';
  const pick = pickField(question);
  const isAlone = question.fields.filter(isInputField).length === 1;
  return pick && isAlone && pick.type !== 'multi_select' ? 'none' : 'values';
}

/** The only field of an input. */
export const onlyInput = ({ fields }: Question): string | undefined => fields.find(isInputField)?.name;

type Responding =
  | { verb: 'submitAnswer'; input: SubmitAnswer; toTheirs(ours: string): string }
  | { verb: 'declineInteraction'; input: Decline }
  | { verb: 'refuse'; problems: Problem[] };

/** The caller. Only an admin key may name another responder. */
export type Responder = { kind: 'key'; role: Role } | { kind: 'responder' | 'person' };

export function fromRespond(interaction: Interaction, command: RespondCommand, caller: Responder): Responding {
  const { decision, payload } = command;
  const said = readBlocks(interaction, command);
  if ('problems' in said) return { verb: 'refuse', problems: said.problems };
  const { values, isValue } = said;
  const common = commonPart(interaction, command, caller);
  const pick = pickField(interaction);
  const isPicked = pick !== undefined && Object.hasOwn(values, pick.name);
  const kinds = pickedOptions(interaction, values).map(({ kind = 'answer' }) => kind);
  const isRejected = kinds.some((kind) => kind.startsWith('reject'));

  if (decision === 'accepted' && isRejected)
    return refuse('/decision', 'contradiction', 'The option rejects, but the decision accepts.');
  if (decision === 'declined' && !isRejected) {
    if (kinds.length > 0)
      return refuse('/decision', 'contradiction', 'The decision declines, but the option does not.');
    if (!isPicked) {
      if (payload === undefined || payload === null) return { verb: 'declineInteraction', input: common };
      return refuse('/payload', 'not-allowed', 'A decline has no payload.');
    }
  }
  return {
    verb: 'submitAnswer',
    input: {
      ...common,
      values,
      ...defined({ payload: payloadShape(interaction) === 'payload' ? payload : undefined }),
    },
    toTheirs: (ours) => answerPointer(ours, { pick: pick?.name, payload, isValue }),
  };
}

const one = (at: string, code: string, message: string): Problem[] => [{ pointer: at, code, message }];

const refuse = (...problem: Parameters<typeof one>): Responding => ({ verb: 'refuse', problems: one(...problem) });

function commonPart(interaction: Interaction, command: RespondCommand, caller: Responder): Decline {
  const { expectedVersion, metadata, submittedBy } = command;
  return defined({
    expectedVersion,
    metadata,
    responder: submittedBy === undefined ? undefined : { type: responderType(interaction, caller), id: submittedBy },
  });
}

/** An admin key answers for the responder that the question names. Other callers answer for themselves; the native verb rejects another name. */
function responderType({ responder }: Interaction, caller: Responder): ActorRef['type'] {
  if (caller.kind !== 'key') return 'human';
  if (caller.role === 'agent') return 'agent';
  return responder.type === 'any' ? 'human' : responder.type;
}

/** The values of the command. `isValue`: the payload is the value of the only field. */
type Said = { values: FreeObject; isValue: boolean } | { problems: Problem[] };

function readBlocks(interaction: Interaction, command: RespondCommand): Said {
  const { decision, selectedOptionId, payload } = command;
  const problem = (...parts: Parameters<typeof one>) => ({ problems: one(...parts) });
  if (decision === undefined && selectedOptionId === undefined && payload === undefined)
    return problem('', 'required', 'Send a decision, a selectedOptionId or a payload.');
  const given = readPayload(interaction, payload);
  if (!given) return problem('/payload', 'type', 'This must be an object with the values of the fields by name.');
  const pick = pickField(interaction);
  if (selectedOptionId !== undefined) {
    if (!pick) return problem('/selectedOptionId', 'not-allowed', 'This question has no options.');
    const picked = pick.type === 'multi_select' ? [selectedOptionId] : selectedOptionId;
    if (!Object.hasOwn(given.values, pick.name)) return { ...given, values: { ...given.values, [pick.name]: picked } };
    const [said, ...others] = [given.values[pick.name]].flat();
    if (said === selectedOptionId && others.length === 0) return given;
    return problem('/selectedOptionId', 'contradiction', 'The payload selects another option.');
  }
  const isOpen = interaction.kind === 'approval' && pick && !Object.hasOwn(given.values, pick.name);
  if (decision !== 'accepted' || !isOpen) return given;
  const [allow, ...others] = pick.options.filter(({ kind }) => kind === 'allow_once');
  return allow && others.length === 0 ? { ...given, values: { ...given.values, [pick.name]: allow.value } } : given;
}

function readPayload(interaction: Interaction, payload: unknown): Extract<Said, { values: FreeObject }> | undefined {
  const shape = payloadShape(interaction);
  if (shape === 'payload' || payload === undefined || payload === null) return { values: {}, isValue: false };
  const isObject = typeof payload === 'object' && !Array.isArray(payload);
  if (shape !== 'value') return isObject ? { values: payload as FreeObject, isValue: false } : undefined;
  const name = onlyInput(interaction) ?? '';
  const isNamed = isObject && Object.keys(payload).every((key) => key === name);
  return isNamed ? { values: payload as FreeObject, isValue: false } : { values: { [name]: payload }, isValue: true };
}

function answerPointer(
  ours: string,
  { pick, payload, isValue }: { pick: string | undefined; payload: unknown; isValue: boolean },
): string {
  if (!ours.startsWith('/values')) return ours;
  if (isValue) return '/payload';
  const isOfPick = pick !== undefined && `${ours}/`.startsWith(`${pointer('/values', pick)}/`);
  const isInPayload = pick !== undefined && Object.hasOwn(Object(payload), pick);
  return isOfPick && !isInPayload ? '/selectedOptionId' : `/payload${ours.slice('/values'.length)}`;
}

export function toResponse(interaction: Interaction, answer: Answer) {
  const [option, ...others] = pickedOptions(interaction, answer.values);
  return defined({
    decision: answer.decision,
    selectedOptionId: others.length === 0 ? option?.value : undefined,
    payload: payloadOf(interaction, answer),
    submittedBy: answer.by.id,
    submittedAt: answer.at,
    metadata: notes(answer),
  });
}

function payloadOf(interaction: Interaction, { decision, values, payload }: Answer): unknown {
  switch (payloadShape(interaction)) {
    case 'payload':
      return payload;
    case 'none':
      return undefined;
    case 'value': {
      const name = onlyInput(interaction) ?? '';
      return Object.hasOwn(values, name) ? values[name] : undefined;
    }
    case 'values':
      return decision === 'declined' && Object.keys(values).length === 0 ? undefined : values;
  }
}

/** The responder's metadata, and what the resource has no property for: the reason, an automatic answer, secret fields. */
function notes({ reason, automatic, grantId, secretFields, metadata }: Answer): FreeObject | undefined {
  const given: FreeObject = defined({ reason, automatic, grantId, secretFields, ...metadata });
  return Object.keys(given).length > 0 || metadata ? given : undefined;
}
