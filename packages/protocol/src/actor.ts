/** Who did something: a person, an agent, or the system itself (a deadline, a standing grant). */
import { type Static, Type } from 'typebox';
import { outerId } from './ids.ts';

export const actorTypes = ['human', 'agent', 'system'] as const;

const ActorTypeSchema = Type.Enum([...actorTypes]);

export const ActorSchema = Type.Object(
  {
    type: ActorTypeSchema,
    id: outerId({ description: 'Stable name of the person or agent.' }),
  },
  { additionalProperties: false },
);

export type ActorType = Static<typeof ActorTypeSchema>;
export type Actor = Static<typeof ActorSchema>;

export const sameActor = (a: Actor, b: Actor): boolean => a.type === b.type && a.id === b.id;
