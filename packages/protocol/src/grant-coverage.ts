/**
 * Computes what a grant covers. The same function serves the views, the new grant and the later question, so they
 * agree.
 */
import type { ActorRef, FreeObject } from './base-schemas.ts';
import { defined } from './defined.ts';
import type { Field } from './fields/field.ts';
import type { Interaction } from './interaction.ts';
import { argumentsLeft } from './outcome.ts';
import { pickField } from './pick.ts';
import type { Question } from './question.ts';
import type { GrantCoverage } from './verbs/grants.ts';

/** The parts of a question that decide what a grant for it would cover. */
export type AskedForGood = Question & Pick<Interaction, 'origin' | 'grant'> & { createdBy: ActorRef };

/** Reports whether an option of the question gives a grant (`_always`). */
export const offersAlways = (question: Pick<Question, 'kind' | 'fields'>): boolean =>
  pickField(question)?.options.some(({ kind }) => kind?.endsWith('_always')) ?? false;

/**
 * Returns everything the person is shown, and the requester. Leaves out defaults of fields, because `values` has them. Also
 * leaves out arguments that the question declares variable, both their proposed and their recommended values.
 */
export function coverageOf(asked: AskedForGood, values: Readonly<FreeObject>): GrantCoverage {
  const { createdBy, origin, kind, title, body, content, payloadSchema, recommendations, submitLabel } = asked;
  const variable = asked.grant?.variable?.toSorted() ?? [];
  const fixed = (all: FreeObject): FreeObject =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !variable.includes(name)));
  return {
    asker: { type: createdBy.type, id: createdBy.id },
    origin,
    kind,
    title,
    ...defined({ body, content }),
    fields: asked.fields.map(withoutDefault),
    ...defined({ payloadSchema, recommendations: recommendations ? fixed(recommendations) : undefined, submitLabel }),
    arguments: fixed(argumentsLeft(asked, values, pickField(asked)?.name ?? '')),
    variable,
  };
}

function withoutDefault(field: Field): Field {
  const { default: _in, ...rest } = field as Field & { default?: unknown };
  return rest as Field;
}
