/** Random input requests for property tests, as sane clients send them, and the schemas they are held against. */
import { type CreateInputRequest, type InputRequestField, type ToolSchema, tools } from '@holdpoint/mcp';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import fc from 'fast-check';

const ajv = new Ajv({ strict: false, allErrors: true });
addFormats.default(ajv);

/** Returns the errors that Ajv finds, as an independent check. */
function validator(schema: ToolSchema): (value: unknown) => string[] {
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : (validate.errors ?? []).map((e) => `${e.instancePath} ${e.message}`));
}
export const inputErrors = validator(tools.create.inputSchema);
export const outputErrors = validator(tools.create.outputSchema);

export const conversationId = '01890a5d-ac96-774b-bcce-b302099a8057';
export const requestId = '01890a5d-ac96-774b-bcce-b302099a8058';
export const responseId = '01890a5d-ac96-774b-bcce-b302099a8059';

const forbidden = ['__proto__', 'constructor', 'prototype'];
const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((text) => text.trim() !== '');
const name = word.filter((text) => !forbidden.includes(text.trim()));
export const json = fc.jsonValue({ maxDepth: 3 });
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const free = fc.dictionary(
  word.filter((key) => !forbidden.includes(key)),
  json,
  { maxKeys: 4 },
);

const text = fc.constantFrom<object>(
  {},
  { placeholder: 'Write here', minLength: 1, maxLength: 20 },
  { pattern: '^[a-z]+$' },
  { placeholder: null, defaultValue: '' },
);
const scalarOption = fc.oneof(word, fc.integer(), fc.boolean());
const more = fc.record({ recommended: maybe(fc.boolean()), 'x-more': maybe(json) }).map(present);
const readable = (value: string | number | boolean): fc.Arbitrary<Record<string, unknown>> =>
  fc.oneof(
    maybe(word).map((label) => present({ value, label })),
    word.map((name) => ({ id: value, name })),
    word.map((label) => ({ label, id: value })),
    fc.constant(typeof value === 'string' ? { label: value } : { value }),
  );
const options = fc
  .uniqueArray(scalarOption, { minLength: 1, maxLength: 5, selector: String })
  .chain((values) =>
    fc.tuple(
      ...values.map((value) => fc.tuple(readable(value), more).map(([option, rest]) => ({ ...option, ...rest }))),
    ),
  );
const pick = options.chain((list) =>
  maybe(fc.constantFrom(...list.map(answerFor))).map((defaultValue) => ({
    options: list,
    ...present({ defaultValue }),
  })),
);

/** The value of an option in an answer. */
const answerFor = (option: Record<string, unknown> | string): unknown =>
  typeof option === 'string' ? option : (option.value ?? option.id ?? option.label);

const known: Record<string, fc.Arbitrary<object>> = {
  text: fc.oneof(
    text,
    word.map((defaultValue) => ({ defaultValue })),
  ),
  email: fc.oneof(text, fc.constant({ defaultValue: 'ann@example.com' })),
  url: text,
  password: fc.constantFrom<object>({}, { minLength: 8 }, { defaultValue: '' }),
  number: fc.constantFrom<object>(
    {},
    { min: 0, max: 10 },
    { defaultValue: '7.5' },
    { defaultValue: '' },
    { defaultValue: 3, min: 1, pattern: 7 },
  ),
  textarea: fc.constantFrom<object>({}, { rows: 5, defaultValue: 'Words' }),
  select: pick,
  radio: pick,
  checkbox: fc.constantFrom<object>({}, { defaultValue: true }, { defaultValue: null }),
  confirm: fc.constantFrom<object>({}, { confirmLabel: 'Go', denyLabel: 'Stop' }),
};
const strange = word.filter((type) => !(type in known)).map((type) => type.slice(0, 60));

const type = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(known)) },
  { weight: 1, arbitrary: strange },
);

export const sentField: fc.Arbitrary<InputRequestField> = type.chain((chosen) =>
  fc
    .record({
      name,
      own:
        known[chosen] ??
        fc.record({ options: maybe(fc.array(free, { maxLength: 3 })), defaultValue: json, rows: json }),
      label: maybe(word),
      required: maybe(fc.boolean()),
      description: maybe(word),
      secret: maybe(fc.boolean()),
      'x-more': maybe(json),
    })
    .map(({ own, secret, ...rest }) => {
      // A secret has no default.
      const isSecret = secret === true && !Object.hasOwn(own, 'defaultValue');
      return present({
        ...rest,
        ...own,
        type: chosen,
        ...(isSecret ? { secret } : {}),
      }) as unknown as InputRequestField;
    }),
);

const isSecret = ({ type, secret }: InputRequestField) => type === 'password' || secret === true;

export const sentRequest: fc.Arbitrary<CreateInputRequest> = fc
  .uniqueArray(sentField, { minLength: 1, maxLength: 8, selector: (field) => field.name.trim() })
  .chain((fields) => {
    const open = fields.filter((field) => !isSecret(field)).map((field) => field.name);
    const said = fc.oneof(json, fc.record({ value: json }), fc.constantFrom(1, 7, 'abc', true));
    return fc
      .record({
        run_id: word,
        tool_call_id: word,
        requested_responder_type: fc.constantFrom('human', 'agent', 'system'),
        title: word,
        kind: maybe(fc.constant('form')),
        description: maybe(word),
        recommendations: maybe(fc.dictionary(fc.constantFrom('of nobody', ...open), said)),
        expires_at: maybe(fc.constantFrom('2030-06-01T12:00:00Z', '2031-01-01T00:00:00.123+02:00')),
        metadata: maybe(
          fc.oneof(free, fc.record({ submitLabel: fc.oneof(word, json, fc.constant('x'.repeat(2_000))) })),
        ),
      })
      .map((rest) => present({ conversation_id: conversationId, ...rest, fields }) as unknown as CreateInputRequest);
  });

/** A value for each field, which often fits it. */
export function valuesFor(fields: readonly InputRequestField[]) {
  const near: Record<string, fc.Arbitrary<unknown>> = {
    email: fc.constant('ann@example.com'),
    url: fc.constant('https://example.com/a'),
    password: fc.constant('correct horse'),
    number: fc.integer({ min: 1, max: 10 }),
    checkbox: fc.boolean(),
    confirm: fc.boolean(),
  };
  const scalar = fc.oneof(
    word,
    fc.constant('abc'),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    fc.boolean(),
    fc.constant(null),
  );
  const entries = fields.map((field) => {
    const isPick = field.type === 'select' || field.type === 'radio';
    const fits = isPick
      ? fc.constantFrom(...(field.options ?? []).map(answerFor))
      : (near[field.type] ?? fc.constant('abc'));
    return fc
      .oneof({ weight: 8, arbitrary: fits }, { weight: 1, arbitrary: scalar })
      .map((value) => [field.name, value]);
  });
  return fc
    .tuple(...entries)
    .map((pairs) => Object.fromEntries(pairs) as Record<string, string | number | boolean | null>);
}

function present(parts: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
