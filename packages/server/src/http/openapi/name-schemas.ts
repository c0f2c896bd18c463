/** Names the shapes that recur in the document, so that it has one Interaction and not one per operation. */
import * as protocol from '@holdpoint/protocol';
import { inputSchemas, type OpenApiDocument } from './openapi.ts';

const { responder, resolution, deadline, grant, run, origin } = protocol.InteractionSchema.properties;

const schemas = { ...protocol };
type Named = keyof typeof schemas extends infer Key ? (Key extends `${infer Name}Schema` ? Name : never) : never;

/** The schemas that the protocol exports under these names. */
const exported = (...names: Named[]) => Object.fromEntries(names.map((name) => [name, schemas[`${name}Schema`]]));

/** Inner shapes come first, so that they have a name when an outer shape refers to them. */
const shapes: Record<string, unknown> = {
  ...exported('Option', 'VisibleIf', 'Field'),
  ...{ OptionInput: inputSchemas.Option, FieldInput: inputSchemas.Field },
  ...exported('FileRef', 'Actor', 'Block'),
  ...{
    Responder: responder,
    ResponderInput: protocol.CreateInteractionSchema.properties.responder,
    Resolution: resolution,
    Deadline: deadline,
    GrantOffer: grant,
    RunLink: run,
    Origin: origin,
  },
  ...exported('Answer', 'Interaction', 'Thread', 'Message', 'Event', 'Grant', 'DispatchSettings', 'Input', 'Batch'),
  ...exported('Run', 'JournalEntry', 'Webhook', 'Attempt', 'Delivery', 'ApiKey'),
  ...exported('Passkey', 'Person', 'Group', 'PersonSession', 'AdminEvent'),
};

export function nameSchemas(document: OpenApiDocument): OpenApiDocument {
  const names = new Map<string, string>();
  const named: Record<string, unknown> = {};
  for (const [name, shape] of Object.entries(shapes)) {
    const inner = refer(shape, names, false);
    names.set(JSON.stringify(inner), name);
    named[name] = inner;
  }
  const { components, paths } = document;
  const { Field: _field, FieldInput: _input, ...others } = components.schemas;
  const schemas = { ...named, ...others } as unknown as OpenApiDocument['components']['schemas'];
  return {
    ...document,
    paths: refer(paths, names) as OpenApiDocument['paths'],
    components: { ...components, schemas },
  };
}

/** Compares shapes as JSON, because TypeBox copies a schema that it makes optional. */
function refer(node: unknown, names: ReadonlyMap<string, string>, isNameable = true): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((inner) => refer(inner, names));
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, refer(value, names)]));
  const name = isNameable ? names.get(JSON.stringify(inner)) : undefined;
  return name ? { $ref: `#/components/schemas/${name}` } : inner;
}
