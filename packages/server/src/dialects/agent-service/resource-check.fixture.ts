/** What a client would do: hold resources against the published documents, with a validator that is not ours. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { documents } from './schemas.ts';

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
for (const document of Object.values(documents)) ajv.addSchema(document);

/** All that is wrong with a resource, after its way over the wire. */
export function resourceProblems(resource: unknown): unknown[] {
  const check = ajv.getSchema('https://agent-service.spec/v1/schemas/resources/interaction-request.json');
  if (!check) throw new Error('the document is not there');
  return check(JSON.parse(JSON.stringify(resource))) ? [] : (check.errors ?? []);
}

export const isSchema = (schema: object): boolean => ajv.validateSchema(schema) === true;
