/** What an upload field's value is: a descriptor of the uploaded file, never its bytes. */
import { type Static, Type } from 'typebox';
import { limits } from '../limits.ts';

export const FileRefSchema = Type.Object(
  {
    file_id: Type.String({ minLength: 1, maxLength: limits.idLength }),
    url: Type.String({ minLength: 1, maxLength: limits.urlLength }),
    name: Type.String({ minLength: 1, maxLength: limits.nameLength }),
    mime: Type.String({ minLength: 1, maxLength: limits.nameLength }),
    size: Type.Integer({ minimum: 0 }),
  },
  { additionalProperties: false },
);
export type FileRef = Static<typeof FileRefSchema>;
