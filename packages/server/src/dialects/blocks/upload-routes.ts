/** Uploads for a field of the question that an execution waits for, and reading them again. */
import { fail, type Interaction } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route, type SentFile } from '../../routes/route.ts';
import { questionFor } from './execution.ts';
import { refuse } from './fault-codec.ts';
import { UploadedSchema, UploadParams, UploadQuery } from './schemas.ts';
import { sessionOf } from './session-of.ts';

const path = '/api/public/v1/chat/uploads';

const uploads: ReadonlySet<string> = new Set(['file_upload', 'image_upload', 'signature']);

const asksFor =
  (field: string) =>
  ({ fields }: Interaction): boolean =>
    fields.some((each) => uploads.has(each.type) && 'name' in each && each.name === field);

export const uploadRoutes = [
  route({
    method: 'POST',
    path,
    tag: 'Blocks',
    summary: 'Upload a file for a field of a form',
    description: 'As multipart/form-data with a part named file. What comes back is the value of the field.',
    query: UploadQuery,
    takesFile: true,
    isRemembered: false,
    status: 201,
    response: UploadedSchema,
    handle: async (service, { query: { executionId, field }, body, caller }) => {
      const session = sessionOf(caller);
      const run = await service.getRun({ runId: executionId });
      if (run.status === 'cancelled') refuse('execution_aborted', 'The execution was aborted.');
      const question = await questionFor(service, session, run, asksFor(field));
      if (!question) return fail('invalid-input', notAsked.message, { problems: [notAsked] });
      const stored = await service.uploadFile({ interactionId: question.id, field, ...(body as unknown as SentFile) });
      // The native address refuses the token of a session.
      return { ...stored, url: `${path}/${stored.file_id}` };
    },
  }),
  route({
    method: 'GET',
    path: `${path}/:fileId`,
    tag: 'Blocks',
    summary: 'Read a file that this session has uploaded',
    description: 'The bytes. Takes Range, If-Range and If-None-Match.',
    params: UploadParams,
    status: 200,
    response: Type.String({ format: 'binary' }),
    gives: 'application/octet-stream',
    givesFile: true,
    handle: (service, { params, caller, range }) => {
      sessionOf(caller);
      return service.openFile({ ...params, ...range });
    },
  }),
];

const notAsked = {
  pointer: '/query/field',
  code: 'value',
  message: 'The execution does not wait for a file of this name.',
};
