/** Compares the schemas of an entry with the types of its verb. It is a separate file, because published types have no TypeBox in them. */
import type { Static, TObject } from 'typebox';
import type { Specs } from './verb-spec.ts';

/** Fails to compile if a schema allows an input that the type of the verb does not, or the type a result that the schema does not. */
type Checked<Service, S extends Specs<Service>> = {
  [Verb in keyof Service]: Service[Verb] extends (input: infer Input) => Promise<infer Output>
    ? {
        input?: S[Verb]['input'] extends infer I extends TObject
          ? Static<I> extends Partial<Pick<Input, keyof Static<I> & keyof Input>>
            ? unknown
            : never
          : unknown;
        output: S[Verb]['givesFile'] extends true
          ? unknown
          : Output extends Static<S[Verb]['output']>
            ? unknown
            : never;
      }
    : never;
};

export const specsOf =
  <Service>() =>
  <const S extends Specs<Service>>(specs: S & Checked<Service, S>): Specs<Service> =>
    specs;
