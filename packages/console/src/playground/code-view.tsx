/** The request as code. */
import type { Interaction } from '@holdpoint/protocol';
import { useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { Segments } from '../parts/segments.tsx';
import type { DialectName } from './asking.ts';
import { curlFor, mcpFor, typescriptFor } from './code.ts';

type Language = 'curl' | 'typescript' | 'mcp';
const languages: readonly { id: Language; title: string }[] = [
  { id: 'curl', title: 'curl' },
  { id: 'typescript', title: 'TypeScript' },
  { id: 'mcp', title: 'MCP' },
];

interface CodeViewProps {
  dialect: DialectName;
  body: object | undefined;
  interaction: Interaction | undefined;
}

export function CodeView({ dialect, body, interaction }: CodeViewProps) {
  const [language, setLanguage] = useState<Language>('curl');
  if (!body) return <p class="hint">Mend the JSON first: then it is shown here as code.</p>;
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
        Make a key for it under <a href="#/settings">Settings</a>; an agent's key asks and waits, and answers for
        nobody.
      </p>
    </>
  );
}
