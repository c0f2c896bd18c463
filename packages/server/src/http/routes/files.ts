import { defined, FileLinkSchema, FileRefSchema, LinkFileSchema, limits, StoredFileSchema } from '@holdpoint/protocol';
import { Type } from 'typebox';
import { route, type SentFile } from '../../routes/route.ts';
import { FileParams, InteractionParams, pageOf, pageQuery, ThreadParams } from '../../routes/schemas.ts';

const tag = 'Files';
const path = '/v1/files/:fileId';
const Name = Type.String({ minLength: 1, maxLength: limits.nameLength });

export const uploadRoute = route({
  operationId: 'uploadFile',
  method: 'POST',
  path: '/v1/interactions/:interactionId/uploads',
  tag,
  summary: 'Upload a file for a field',
  description:
    'As multipart/form-data with a part named file, or as the body itself with its own content type and its name in the query. What comes back is the value of the field in an answer; without an answer the file is deleted after a day.',
  params: InteractionParams,
  query: Type.Object(
    {
      field: Type.String({ ...Name, description: 'The upload field of the question.' }),
      name: Type.Optional(Type.String({ ...Name, description: 'Of a file that is the body itself.' })),
    },
    { additionalProperties: false },
  ),
  takesFile: true,
  isRemembered: false,
  status: 201,
  response: FileRefSchema,
  handle: (service, { params, query: { field }, body }) =>
    service.uploadFile({ ...params, field, ...(body as unknown as SentFile) }),
});

export const attachRoute = route({
  operationId: 'attachFile',
  method: 'POST',
  path: '/v1/threads/:threadId/files',
  tag,
  summary: 'Attach a file to a thread',
  description:
    'As multipart/form-data with a part named file, or as the body itself with its own content type and its name in the query. It is kept until it is deleted. To send it with a message, name its id in `files` of that message.',
  params: ThreadParams,
  query: Type.Object(
    {
      messageId: Type.Optional(
        Type.String({ minLength: 1, maxLength: limits.idLength, description: 'The message that it belongs to.' }),
      ),
      name: Type.Optional(Type.String({ ...Name, description: 'Of a file that is the body itself.' })),
    },
    { additionalProperties: false },
  ),
  takesFile: true,
  isRemembered: false,
  status: 201,
  response: StoredFileSchema,
  handle: (service, { params, query: { messageId }, body }) =>
    service.attachFile({
      ...params,
      ...defined({ messageId }),
      ...(body as unknown as SentFile),
    }),
});

export const fileRoutes = [
  uploadRoute,
  attachRoute,
  route({
    operationId: 'listFiles',
    method: 'GET',
    path: '/v1/threads/:threadId/files',
    tag,
    summary: 'List the files of a thread',
    description: 'Those that were attached to it, the newest first. Files of answers are not among them.',
    params: ThreadParams,
    query: Type.Object(pageQuery, { additionalProperties: false }),
    status: 200,
    response: pageOf(StoredFileSchema),
    handle: (service, { params, query }) => service.listFiles({ ...params, ...query }),
  }),
  route({
    operationId: 'getFile',
    method: 'GET',
    path,
    tag,
    summary: 'Get what is known of a file',
    params: FileParams,
    status: 200,
    response: StoredFileSchema,
    handle: (service, { params }) => service.getFile(params),
  }),
  route({
    operationId: 'linkFile',
    method: 'POST',
    path: `${path}/links`,
    tag,
    summary: 'Make a link to a file',
    description:
      'Whoever has it may download the file until it expires, after an hour unless ttlSeconds says otherwise; that of a responder token, never later.',
    params: FileParams,
    body: LinkFileSchema,
    isRemembered: false,
    status: 201,
    response: FileLinkSchema,
    handle: (service, { params, body }) => service.linkFile({ ...params, ...body }),
  }),
  route({
    operationId: 'deleteFile',
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete a file',
    description: 'An answer that carries it keeps its descriptor, which leads nowhere from then on.',
    params: FileParams,
    status: 200,
    response: StoredFileSchema,
    handle: (service, { params }) => service.deleteFile(params),
  }),
];
