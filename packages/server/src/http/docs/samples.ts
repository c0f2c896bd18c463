/** A call as code: for a shell with curl, and for Python without packages. Both read the same two variables. */
import { highlight, layOut, type Part, token, width } from './html.ts';

export interface Call {
  method: string;
  /** With `{id}` in place of an id that the reader has from an earlier call. */
  path: string;
  body?: unknown;
  /** Further options of curl, such as -N for a stream. */
  more?: string;
}

/** `{runId}` is `RUN_ID`. The quickstart sets `ID`, the id of a question. */
const nameOf = (hole: string): string =>
  hole === '{interactionId}' ? 'ID' : hole.slice(1, -1).replaceAll(/[A-Z]/g, '_$&').toUpperCase();

const fillIn = (path: string, write: (name: string) => string): string =>
  path.replaceAll(/\{\w+\}/g, (hole) => write(nameOf(hole)));

export const authorization = '-H "authorization: Bearer $HOLDPOINT_API_KEY"';
export const json = '-H "content-type: application/json"';

export function curlView({ method, path, body, more }: Call): Part {
  const verb = method === 'PATCH' || (body === undefined && method !== 'GET') ? ` -X ${method}` : '';
  const url = `$HOLDPOINT_URL${fillIn(path, (name) => `$${name}`)}`;
  const head = `curl -s${more ? ` ${more}` : ''}${verb} "${url}" \\\n  ${authorization}`;
  if (body === undefined) return head;
  return [`${head} \\\n  ${json} -d '`, highlight(layOut(body, width, '', 42).replaceAll("'", "'\\''")), "'"];
}

/** Every sample in Python begins with it. */
export const pythonHelper = `import json, os, urllib.request

def call(method, path, body=None):
    request = urllib.request.Request(os.environ["HOLDPOINT_URL"] + path, method=method)
    request.add_header("authorization", "Bearer " + os.environ["HOLDPOINT_API_KEY"])
    if body is not None:
        request.add_header("content-type", "application/json")
        request.data = json.dumps(body).encode()
    with urllib.request.urlopen(request) as reply:
        return json.loads(reply.read() or "null")`;

export function pythonView({ method, path, body }: Call): Part {
  const filled = fillIn(path, (name) => `{${name}}`);
  const head = `call("${method}", ${filled === path && !path.includes('{') ? '' : 'f'}"${filled}"`;
  return body === undefined ? `${head})` : [`${head}, `, highlight(pythonOf(layOut(body, width))), ')'];
}

const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' };

/** A JSON text is Python, except for three words. */
const pythonOf = (text: string): string =>
  text.replaceAll(token, (whole, string?: string) => (string === undefined ? (words[whole] ?? whole) : whole));
