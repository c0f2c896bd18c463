/** The value of an upload field: it describes an uploaded file and never has its bytes. */
import { type Static, Type } from 'typebox';
import { strictObject } from '../base-schemas.ts';
import { limits } from '../limits.ts';

export const FileRefSchema = strictObject({
  file_id: Type.String({ minLength: 1, maxLength: limits.idLength }),
  url: Type.String({ minLength: 1, maxLength: limits.urlLength }),
  name: Type.String({ minLength: 1, maxLength: limits.nameLength }),
  mime: Type.String({ minLength: 1, maxLength: limits.nameLength }),
  size: Type.Integer({ minimum: 0 }),
});
export type FileRef = Static<typeof FileRefSchema>;
