/** Shows the request as code: curl, TypeScript and an MCP tool call. */
import { defined, type Interaction } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Segments } from '../parts/tabs.tsx';
import type { DialectName } from './asking.ts';

function pathOf(dialect: DialectName, thread: string): string {
  const paths: Partial<Record<DialectName, string>> = {
    native: `/v1/threads/${thread}/interactions`,
    'chat-requests': `/api/v1/chats/${thread}/requests`,
    'agent-service': '/spec/v1/interactions',
  };
  return paths[dialect] ?? `/conversations/${thread}/input-requests`;
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`);

function curlFor(dialect: DialectName, given: object, origin: string): string {
  const body = dialect === 'agent-service' ? { ...given, threadId: '$THREAD' } : given;
  const quoted = pretty(body).replaceAll("'", "'\\''").replace('"$THREAD"', `"'$THREAD'"`);
  return `# Reads your key from HOLDPOINT_API_KEY.
call() { to="${origin}$1"; shift; curl -s "$to" -H "Authorization: Bearer $HOLDPOINT_API_KEY" "$@"; }
send() { call "$1" -H "content-type: application/json" -d "$2"; }
first() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }

THREAD=$(send /v1/threads '{ "title": "Playground" }' | first id)
ID=$(send "${pathOf(dialect, '$THREAD')}" '${quoted}' | first ${dialect === 'agent-service' ? 'interactionId' : 'id'})

# Wait for the answer, up to a minute
call "/v1/interactions/$ID/wait?timeoutMs=60000"
`;
}

function typescriptFor(dialect: DialectName, body: object, origin: string): string {
  const call = dialect === 'native' ? nativeCall(body) : dialectCall(dialect, body, origin);
  return `import { httpService } from '@holdpoint/client';

const key = process.env.HOLDPOINT_API_KEY ?? '';
const service = httpService({ url: '${origin}', key });
const { id: threadId } = await service.createThread({ title: 'Playground' });
${call}
// Waits for any time, one minute per call, and continues when the server restarts.
let interaction = await service.getInteraction({ interactionId });
while (interaction.status === 'pending')
  interaction = await service.waitForInteraction({ interactionId, timeoutMs: 60_000 });
console.log(interaction.closedReason, interaction.answer?.values);
`;
}

const nativeCall = (body: object): string => `const { id: interactionId } = await service.createInteraction({
  threadId,
  ...${indented(pretty(body), '  ')},
});
`;

function dialectCall(dialect: Exclude<DialectName, 'native'>, body: object, origin: string): string {
  const path = pathOf(dialect, `\${threadId}`);
  const content = dialect === 'agent-service' ? `{ ...${pretty(body)}, threadId }` : pretty(body);
  const idOf = { 'agent-service': 'asked.data.interactionId' }[dialect as string] ?? 'asked.id';
  return `const reply = await fetch(\`${origin}${path}\`, {
  method: 'POST',
  headers: { authorization: \`Bearer \${key}\`, 'content-type': 'application/json' },
  body: JSON.stringify(${indented(content, '  ')}),
});
const asked = await reply.json();
const interactionId: string = ${idOf};
`;
}

function mcpFor(dialect: DialectName, body: object, interaction: Interaction | undefined, origin: string): string {
  const isToolInput = dialect === 'mcp' || dialect === 'input-requests';
  const input = isToolInput ? body : interaction && toolInputOf(interaction);
  if (!input) return '// Fix the request to see it as a tool call.';
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'create_input_request', arguments: { conversation_id: '<id of the thread>', ...input } },
  };
  return `// The server offers the tool at ${origin}/mcp?tools=input-requests, with the header Authorization: Bearer <key>.
// A client that starts processes can run: holdpoint mcp --tools input-requests --url ${origin}
// An agent's tool call looks like this:
${pretty(call)}
`;
}

/** The tool accepts only fields, so a choice or an approval becomes one field. */
export function toolInputOf({ title, body, fields, responder, deadline, recommendations }: Interaction): object {
  return {
    run_id: 'run-1',
    tool_call_id: 'call-1',
    requested_responder_type: responder.type === 'any' ? 'human' : responder.type,
    title,
    fields: fields.flatMap((field): object[] => {
      const { default: defaultValue, display: _own, ...rest } = field as Record<string, unknown>;
      return 'name' in field ? [{ ...rest, ...defined({ defaultValue }) }] : [];
    }),
    ...defined({ description: body || undefined, recommendations, expires_at: deadline?.at }),
  };
}

const languages = { curl: 'curl', typescript: 'TypeScript', mcp: 'MCP' };

interface CodeViewProps {
  dialect: DialectName;
  body: object | undefined;
  interaction: Interaction | undefined;
}

export function CodeView({ dialect, body, interaction }: CodeViewProps) {
  const [language, setLanguage] = useState<keyof typeof languages>('curl');
  if (!body) return <p class="hint">Fix the JSON to see it as code.</p>;
  const { origin } = location;
  const text = {
    curl: () => curlFor(dialect, body, origin),
    typescript: () => typescriptFor(dialect, body, origin),
    mcp: () => mcpFor(dialect, body, interaction, origin),
  }[language]();
  return (
    <>
      <Segments
        legend="Language"
        name="language"
        options={languages}
        current={language}
        onChange={(to) => setLanguage(to)}
      />
      <Code text={text} what="the code" />
      <p class="hint">
        Create a key under <a href="#/settings">Settings</a>. The role agent can create requests and wait for answers.
        The code reads it from <code>HOLDPOINT_API_KEY</code>.
      </p>
    </>
  );
}
