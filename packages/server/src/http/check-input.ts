/** Checks a request against the schemas of its route, with every problem named. */
import { problemsOf, queryReader, type RequestSchemas, type Sent } from '../operations/check-input.ts';
import { invalidInput } from '../operations/invalid-input.ts';

/** Returns what was sent, with the numbers of its query read. */
export function inputCheck(schemas: RequestSchemas): (sent: Sent) => Sent {
  const readQuery = queryReader(schemas.query);
  return ({ params, query, body }) => {
    const read = { params, query: readQuery(query), body };
    const problems = problemsOf(schemas, read);
    if (problems.length > 0) throw invalidInput(problems);
    return read;
  };
}
