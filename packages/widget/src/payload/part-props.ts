/** What every part of a payload is given to be drawn with. */
import type { ComponentType } from 'preact';
import type { Uploads } from '../form/field-props.ts';
import type { Strings } from '../strings/strings.ts';
import type { AnySchema, Schema } from './schema.ts';

/** The same for all parts, and the same object as long as nothing of it changes. */
interface Shared {
  root: Schema;
  idPrefix: string;
  strings: Strings;
  uploads: Uploads;
  /** Puts a value in its place; undefined takes it out. */
  set(pointer: string, value: unknown): void;
  /** What draws a part: parts have parts. */
  Part: ComponentType<PartProps>;
}

export interface PartProps {
  schema: AnySchema;
  /** Its place, which is also the end of the id of its control. */
  pointer: string;
  name: string;
  /** Instead of the title of the schema. */
  label?: string;
  isRequired: boolean;
  value: unknown;
  /** What was recommended for it. */
  suggested: unknown;
  problems: ReadonlyMap<string, string>;
  depth: number;
  shared: Shared;
}

export interface LabelledProps extends PartProps {
  label: string;
}
