/** Words for the properties whose schemas carry none, for the document and everything made from it. */
import type { OpenApiDocument } from './openapi.ts';

/** By shape and name where a name means different things, else by name alone. */
const words: Readonly<Record<string, string>> = {
  'Option.kind': 'What picking it amounts to: an answer, or a decision for once or for good.',
  'Option.value': 'What the answer carries.',
  'Option.label': 'What the person reads.',
  'Option.variant': 'How its button looks.',
  'Option.recommended': 'Marks it as the suggested one.',
  'Grant.key': 'The grant key of the question it answers.',
  'Grant.id': 'Made by the server.',
  'GrantOffer.key': 'Names what is granted; later questions with the same key are answered by it.',
  'GrantOffer.scope': 'How far it reaches: the same run, the same thread, or the whole org.',
  'GrantOffer.forMs': 'For how long, in milliseconds; absent: until it is revoked.',
  'Responder.type': 'Who is asked.',
  'Run.id': 'The execution that waits.',
  'Run.attemptId': 'Which attempt of it.',
  'Run.toolCallId': 'The tool call the question comes from.',
  'Origin.type': 'What made the question necessary.',
  'Origin.reference': 'A name for it in your own system.',
  'Message.by': 'Who posted it.',
  'Event.type': 'What happened.',
  'Event.data': 'The facts of it; see the table of event types.',
  'Event.interactionId': 'The interaction it is about, if it is about one.',
  'Problem.type': 'Where this error is described.',
  'Problem.title': 'What kind of error it is, in words.',
  'Problem.detail': 'What went wrong this time, in words.',
  'Problem.code': 'What kind of error it is, for programs.',
  'Problem.retryable': 'Whether the same call may succeed later.',
  'Problem.errors': 'Each thing that is wrong, with a JSON pointer to it.',
  'FileRef.file_id': 'The id of the file where it is stored.',
  'FileRef.url': 'Where the file can be fetched.',
  'FileRef.name': 'Its file name.',
  'FileRef.mime': 'Its MIME type, checked against `accept`.',
  'FileRef.size': 'In bytes, checked against `maxSizeMb`.',
  'Block.id': 'Yours, to tell blocks apart.',
  'Block.meta': 'Free JSON, kept as sent.',
  'Block.payload': 'What the type of block needs.',
  'Problem.status': 'The HTTP status.',
  'Grant.scope': 'How far it reaches: the same run, the same thread, or the whole org.',
  kind: 'Left out: `choice` with options, `form` with fields or a payloadSchema, else `input`.',
  title: 'What is read first.',
  fields: 'What is asked, in order.',
  content: 'Blocks shown with the question.',
  payloadSchema: 'A JSON Schema 2020-12 to ask by instead of fields.',
  arguments: 'What an approval is about; a field of the same name lets the person edit it.',
  recommendations: 'Suggested values by field name, shown as suggestions.',
  submitLabel: 'The words on the button.',
  minSelections: 'Of a choice: 0 lets the person pick nothing.',
  maxSelections: 'Of a choice: more than 1 makes it a choice of several.',
  responder: 'Who answers.',
  resolution: 'How many answers close it; left out: the first.',
  deadline: 'When it closes by itself, and how.',
  grant: 'What an answer for good would stand for.',
  run: "The agent's execution that waits for the answer.",
  origin: 'What made the question necessary; left out: the agent.',
  trace: 'Free JSON about where the question comes from, kept as sent.',
  metadata: 'Free JSON of your own, kept as sent.',
  expectedVersion: 'Refuses the change if the interaction is at another version.',
  values: 'The answer, by field name.',
  reason: 'Why, in words for people.',
  status: 'Where it stands.',
  closedReason: 'What closed it.',
  closedBy: 'Who closed it.',
  cancelReason: 'Why the asker withdrew it.',
  votes: 'Every answer so far, in order.',
  answer: 'The one that closed it.',
  version: 'Goes up by one with every change.',
  decision: 'Whether it was accepted or declined.',
  automatic: 'What gave it, where no person did.',
  grantId: 'The grant that gave it.',
  name: 'The key of its value in the answer.',
  label: 'What the person reads; the name where there is none.',
  description: 'Help for the person, beside the label.',
  required: 'Whether it must be answered while it is visible.',
  secret: 'Kept out of records, events and logs; handed out once.',
  visibleIf: 'Shows the field only while every rule holds.',
  placeholder: 'A hint inside the empty field.',
  default: 'What it is filled with at first.',
  pattern: 'An RE2 pattern, matched anywhere in the text.',
  display: 'Shows the options as buttons.',
  step: 'Values go up in steps of this size.',
  integer: 'Whole numbers only.',
  accept: 'MIME types and file extensions that are taken.',
  maxSizeMb: 'The largest file taken.',
  multiple: 'Takes a list of files.',
  field: 'The name of the field it looks at.',
  op: 'How its value is compared.',
  'VisibleIf.value': 'What it is compared with; a list for `in` and `not_in`, none for `empty` and `not_empty`.',
  role: 'Who speaks.',
  blocks: 'What is said, in pieces.',
  ttlSeconds: 'How long it is valid; an hour if left out.',
  after: 'The sequence number to read after.',
  order: 'Which come first.',
  runId: 'Only of this run.',
  key: 'Only with this grant key.',
  actor: 'Who did it.',
  adminKey: 'A key for the first of its admins, shown this once.',
  all_of: 'The rules; each must hold.',
  body: 'Markdown; raw HTML is shown as text.',
  by: 'Who gave it.',
  canvasHeight: 'In pixels.',
  canvasWidth: 'In pixels.',
  confirmLabel: 'The words on the button for true.',
  denyLabel: 'The words on the button for false.',
  count: 'How many votes.',
  createdBy: 'Who made it.',
  data: 'What was found.',
  max: 'The largest value taken.',
  min: 'The smallest value taken.',
  maxLength: 'The longest text taken, in characters.',
  minLength: 'The shortest text taken, in characters.',
  maxStars: 'How many there are; 5 if left out.',
  message: 'What is wrong with it, in words.',
  mode: 'How votes add up.',
  options: 'What can be picked.',
  payload: 'The answer to a payloadSchema.',
  pointer: 'Where it stands in what was sent.',
  ratingIcon: 'What is counted.',
  retention: 'Whether the file is to be kept.',
  revokedBy: 'Who revoked it.',
  rows: 'How many lines are shown.',
  scope: 'How far it reaches.',
  text: 'What is shown.',
  token: 'To be sent as a Bearer token.',
};

export function describeProperties(document: OpenApiDocument): OpenApiDocument {
  const { components, paths } = document;
  const schemas = Object.fromEntries(
    Object.entries(components.schemas).map(([name, schema]) => [name, describe(schema, name)]),
  ) as unknown as OpenApiDocument['components']['schemas'];
  return {
    ...document,
    paths: describe(paths, '') as OpenApiDocument['paths'],
    components: { ...components, schemas },
  };
}

function describe(node: unknown, shape: string): unknown {
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) return node.map((inner) => describe(inner, shape));
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key !== 'properties') return [key, describe(value, shape)];
      const properties = Object.entries(value as Record<string, object>);
      return [key, Object.fromEntries(properties.map(([name, schema]) => [name, withWords(name, schema, shape)]))];
    }),
  );
}

function withWords(name: string, schema: object, shape: string): unknown {
  const description = words[`${shape}.${name}`] ?? words[name];
  const described = describe(schema, shape) as object;
  return description === undefined || 'description' in schema ? described : { ...described, description };
}
