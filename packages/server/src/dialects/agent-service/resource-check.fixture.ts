/** Checks resources by the published documents with Ajv, as a client would. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { documents } from './schemas.ts';

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
for (const document of Object.values(documents)) ajv.addSchema(document);

/** The problems of a resource after it was sent as JSON. */
export function resourceProblems(resource: unknown): unknown[] {
  const check = ajv.getSchema('https://agent-service.spec/v1/schemas/resources/interaction-request.json');
  if (!check) throw new Error('the document is not there');
  return check(JSON.parse(JSON.stringify(resource))) ? [] : (check.errors ?? []);
}

export const isSchema = (schema: object): boolean => ajv.validateSchema(schema) === true;
