/** Names the shapes that recur in the document, so that it has one Interaction and not one per operation. */
import {
  ActorSchema,
  AdminEventSchema,
  AnswerSchema,
  ApiKeySchema,
  AttemptSchema,
  BatchSchema,
  BlockSchema,
  CreateInteractionSchema,
  DeliverySchema,
  DispatchSettingsSchema,
  EventSchema,
  FieldSchema,
  FileRefSchema,
  GrantSchema,
  GroupSchema,
  InputSchema,
  InteractionSchema,
  JournalEntrySchema,
  MessageSchema,
  OptionSchema,
  PasskeySchema,
  PersonSchema,
  PersonSessionSchema,
  RunSchema,
  ThreadSchema,
  VisibleIfSchema,
  WebhookSchema,
} from '@holdpoint/protocol';
import { inputSchemas, type OpenApiDocument } from './openapi.ts';

const { responder, resolution, deadline, grant, run, origin } = InteractionSchema.properties;

/** Inner shapes come first, so that they have a name when an outer shape refers to them. */
const shapes: Record<string, unknown> = {
  Option: OptionSchema,
  VisibleIf: VisibleIfSchema,
  Field: FieldSchema,
  OptionInput: inputSchemas.Option,
  FieldInput: inputSchemas.Field,
  FileRef: FileRefSchema,
  Actor: ActorSchema,
  Block: BlockSchema,
  Responder: responder,
  ResponderInput: CreateInteractionSchema.properties.responder,
  Resolution: resolution,
  Deadline: deadline,
  GrantOffer: grant,
  RunLink: run,
  Origin: origin,
  Answer: AnswerSchema,
  Interaction: InteractionSchema,
  Thread: ThreadSchema,
  Message: MessageSchema,
  Event: EventSchema,
  Grant: GrantSchema,
  DispatchSettings: DispatchSettingsSchema,
  Input: InputSchema,
  Batch: BatchSchema,
  Run: RunSchema,
  JournalEntry: JournalEntrySchema,
  Webhook: WebhookSchema,
  Attempt: AttemptSchema,
  Delivery: DeliverySchema,
  ApiKey: ApiKeySchema,
  Passkey: PasskeySchema,
  Person: PersonSchema,
  Group: GroupSchema,
  PersonSession: PersonSessionSchema,
  AdminEvent: AdminEventSchema,
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
