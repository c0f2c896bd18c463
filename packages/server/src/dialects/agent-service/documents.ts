/** The schema documents of the spec: the resource as published, and ours where it refers to what was published nowhere. */
import enums from './schemas/common/enums.json' with { type: 'json' };
import identity from './schemas/common/identity.json' with { type: 'json' };
import interactionRequest from './schemas/resources/interaction-request.json' with { type: 'json' };
import messageRecord from './schemas/resources/message-record.json' with { type: 'json' };

/** By their place under `schemas/`, the same in an address as in an `$id`, so that each `$ref` leads somewhere by either. */
export const documents: Readonly<Record<string, object>> = {
  'common/enums.json': enums,
  'common/identity.json': identity,
  'resources/interaction-request.json': interactionRequest,
  'resources/message-record.json': messageRecord,
};
