/** A tool of the model that asks the person. */
import {
  type Answer,
  type Ask,
  type CreateInteraction,
  defined,
  type FreeObject,
  type Interaction,
  isInputField,
  isSecretField,
  type Option,
  type Outcome,
  pickedOptions,
  pickField,
  sentenceOf,
  textOfMessage,
  validatePayload,
} from '@holdpoint/protocol';
import { asSchema, type FlexibleSchema, type JSONSchema7, jsonSchema, type Schema } from 'ai';
import type { Interrupted } from '../agent.ts';

type Asked = Ask<unknown> | CreateInteraction;
export type AskOutcome = Outcome<FreeObject> | Interrupted;

export interface InteractionToolOptions<Args> {
  /** Tells the model what the tool does. */
  description: string;
  /** Schema of its arguments: a JSON Schema, or any schema that the AI SDK accepts. */
  parameters: FlexibleSchema<Args> | JSONSchema7;
  /** Shown while the person is being asked. The description, if left out. */
  waiting?: string;
  ask(args: Args): Asked;
  /** The options as the tool call wrote them. If left out, the options of the question. */
  options?(args: Args): readonly unknown[];
  /** The result of the tool for the model. */
  answer?(outcome: AskOutcome, args: Args): unknown;
}

export interface InteractionTool {
  description: string;
  waiting: string;
  parameters: Schema<unknown>;
  ask(args: unknown): Asked;
  options(args: unknown): readonly unknown[];
  answer(outcome: AskOutcome, args: unknown): unknown;
}

export function interactionTool<Args>(given: InteractionToolOptions<Args>): InteractionTool {
  const { description, waiting = description, ask } = given;
  const { options = (args) => optionsOf(ask(args)), answer = describeOutcome } = given;
  const parameters = checkedSchema(given.parameters);
  return { description, waiting, parameters, ask, options, answer } as InteractionTool;
}

/** In the form that the model gets: `{id, name}`. */
function optionsOf(question: Asked): { id: string; name: string }[] {
  const { options, fields = [] } = question as CreateInteraction;
  const field = (fields as { options?: unknown[] }[]).find((one) => one.options !== undefined);
  return (options ?? field?.options ?? []).map((option) => {
    const { value, label } = typeof option === 'string' ? { value: option, label: option } : (option as Option);
    return { id: value, name: label };
  });
}

/** Describes the outcome of a question to the model. */
export function describeOutcome(outcome: AskOutcome): FreeObject {
  switch (outcome.status) {
    case 'answered': {
      const { values, answer, interaction } = outcome;
      return { status: 'answered', ...describeValues(interaction, values), ...textOfAnswer(answer) };
    }
    case 'message':
      return {
        status: 'not_answered',
        reason: 'The person wrote this instead of answering, and the question is withdrawn.',
        message: textOfMessage(outcome.message),
      };
    case 'declined':
      return {
        status: 'declined',
        ...defined({ reason: outcome.reason || undefined }),
        ...textOfAnswer(outcome.interaction.answer),
      };
    case 'expired':
      return { status: 'expired', reason: 'Nobody answered in time.' };
    case 'cancelled':
      return { status: 'cancelled', ...defined({ reason: outcome.reason || undefined }) };
  }
}

/** The message from which the answer was read. */
function textOfAnswer(answer: Answer | undefined): { originalText?: string } {
  const said = answer?.metadata?.text;
  return typeof said === 'string' ? { originalText: said } : {};
}

/** Adds the names of picked options, which tell a model more than their ids. Leaves out secrets. */
function describeValues(interaction: Interaction, values: FreeObject): FreeObject {
  const pick = pickField(interaction);
  const picked = pickedOptions(interaction, values).map(({ value, label }) => ({ id: value, name: label }));
  const hidden = interaction.fields.filter(isInputField).filter(isSecretField);
  const isHidden = (name: string) => name === pick?.name || hidden.some((field) => field.name === name);
  const rest = Object.entries(values).filter(([name]) => !isHidden(name));
  return defined({
    selected: pick === undefined ? undefined : pick.type === 'multi_select' ? picked : (picked[0] ?? null),
    values: rest.length > 0 ? Object.fromEntries(rest) : undefined,
  });
}

/** Makes a schema that checks the arguments before anybody is asked. The AI SDK itself does not check a plain JSON Schema. */
function checkedSchema(parameters: FlexibleSchema<unknown> | JSONSchema7): Schema<unknown> {
  if (!isJsonSchema(parameters)) return asSchema(parameters);
  return jsonSchema(parameters, {
    validate: (value) => {
      const problems = validatePayload(parameters, value, '');
      return problems.length === 0
        ? { success: true, value }
        : { success: false, error: new Error(sentenceOf(problems)) };
    },
  });
}

function isJsonSchema(parameters: FlexibleSchema<unknown> | JSONSchema7): parameters is JSONSchema7 {
  if (typeof parameters === 'function') return false;
  return !('~standard' in parameters) && !('jsonSchema' in parameters) && !('_def' in parameters);
}
