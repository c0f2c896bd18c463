/** Fields that show something and take no input: they have no name and no value. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';
import { Meta } from './input-base.ts';
import { VisibleIfSchema } from './visible-if.ts';

const displayBase = { visibleIf: Type.Optional(VisibleIfSchema), meta: Type.Optional(Meta) };
const text = Type.String({ minLength: 1, maxLength: limits.bodyLength });
const strict = { additionalProperties: false } as const;

export const HeadingFieldSchema = Type.Object({ type: Type.Literal('heading'), text, ...displayBase }, strict);
export const ParagraphFieldSchema = Type.Object({ type: Type.Literal('paragraph'), text, ...displayBase }, strict);
export const DividerFieldSchema = Type.Object({ type: Type.Literal('divider'), ...displayBase }, strict);

export type DisplayField = Static<typeof HeadingFieldSchema | typeof ParagraphFieldSchema | typeof DividerFieldSchema>;
