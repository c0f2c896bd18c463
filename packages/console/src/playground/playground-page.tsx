/** The playground: edit a request as JSON, preview it, create it, answer it, and copy it as code. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/code.tsx';
import { Select } from '../parts/form.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { type DialectName, dialectWords, isDialect, type LocatedProblem, loadSchemas, useRequest } from './asking.ts';
import { CodeView } from './code-view.tsx';
import { Editor } from './editor.tsx';
import { examplesOf } from './examples.ts';
import { objectAt, withKey } from './json-text.ts';
import { type AllowedKey, allowedAt, KeyHelp } from './key-help.tsx';
import { LiveView, useLive, WebhookView } from './live-view.tsx';
import { PreviewCard } from './preview-card.tsx';
import { useShared } from './share-link.ts';

const tabs = { preview: 'Preview', live: 'Answer', webhook: 'Webhook', code: 'Code' };

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** The text of an example, by default of the first one. */
function textOf(dialect: DialectName, name?: string): string {
  const examples = examplesOf[dialect]();
  return pretty(examples[name ?? Object.keys(examples)[0] ?? '']);
}

export default function PlaygroundPage() {
  const [dialect, setDialect] = useState<DialectName>('native');
  const [text, setText] = useState(() => textOf('native'));
  const link = useShared(dialect, text, (shared) => {
    if (isDialect(shared.dialect)) setDialect(shared.dialect);
    setText(shared.text);
  });
  const [tab, setTab] = useState<keyof typeof tabs>('preview');
  const { read, body, interaction, problems, isChecked } = useRequest(dialect, text);
  const live = useLive(() => setTab('live'));
  const [caret, setCaret] = useState(0);
  const [selected, select] = useState<{ start: number; end: number }>();
  const schemas = useLoad(() => loadSchemas(dialect), [dialect]).data;
  const examples = useMemo(() => examplesOf[dialect](), [dialect]);
  const lastPointer = useRef('');
  if (read.ok) lastPointer.current = objectAt(read.positions, read.value, caret);
  const pointer = lastPointer.current;
  const keys = schemas && read.ok ? allowedAt(schemas, read.value, pointer) : undefined;
  const wrongLines = useMemo(() => new Set(problems.map(({ line }) => line)), [problems]);
  const mayCreate = body !== undefined && problems.length === 0 && !live.isAsking;

  const begin = (next: DialectName, example?: string) => {
    setDialect(next);
    setText(textOf(next, example));
    setCaret(0);
  };
  const insert = ({ name, start }: AllowedKey) => {
    if (read.ok) setText(pretty(withKey(read.value, pointer, name, start)));
  };
  // Scrolls to the top after a tab change, because a long form may be scrolled down.
  const side = useRef<HTMLElement>(null);
  useEffect(() => side.current?.scrollTo(0, 0), [tab]);

  return (
    <Page
      title="Playground"
      width="wide"
      lead="Edit a request and preview it. Create it to answer it for real and watch the events your agent receives."
      actions={
        <>
          {link ? (
            <CopyButton text={link} what="the link" label="Copy link" />
          ) : (
            <span class="hint">Too large to share by link</span>
          )}
          <Button
            text={live.isAsking ? 'Creating…' : 'Create request'}
            look="primary"
            isOff={!mayCreate}
            onClick={() => body && mayCreate && live.create(dialect, body)}
          />
        </>
      }
    >
      <div class="playground">
        <section class="playground-left" aria-label="Request">
          <div class="playground-bar">
            <Select
              label="Dialect"
              value={dialect}
              options={Object.entries(dialectWords)}
              onValue={(next) => begin(next as DialectName)}
            />
            <Select
              label="Example"
              value={Object.keys(examples).find((name) => pretty(examples[name]) === text) ?? ''}
              options={Object.keys(examples).map((name) => [name, name])}
              onValue={(name) => begin(dialect, name)}
            >
              <option value="" disabled>
                Custom
              </option>
            </Select>
            <Button
              text="Format"
              look="small"
              isOff={!read.ok}
              onClick={() => read.ok && setText(pretty(read.value))}
            />
          </div>
          <Editor
            text={text}
            onText={setText}
            wrong={wrongLines}
            onCaret={setCaret}
            describedBy="playground-state playground-keys"
            select={selected}
          />
          <div id="playground-state" class="playground-state" role="status">
            {problems.length > 0 ? (
              <Problems problems={problems} onShow={({ start, end }) => select({ start, end })} />
            ) : (
              <p class="hint">{isChecked ? 'Valid request' : 'Checking…'}</p>
            )}
          </div>
          <p id="playground-keys" class="hint playground-keys">
            Tab indents. Press Esc, then Tab to leave the editor.
          </p>
          <KeyHelp pointer={pointer} keys={keys} onInsert={insert} />
          {dialect === 'native' && (
            <p class="hint">
              The other dialects, blocks and assistant, cannot create requests. They show and answer requests of any
              dialect.
            </p>
          )}
        </section>
        <section class="card playground-right" aria-label="Result" ref={side}>
          <Tabs label="Result" tabs={tabs} current={tab} onChange={(to) => setTab(to)}>
            {tab === 'preview' &&
              (interaction ? (
                <PreviewCard interaction={interaction} />
              ) : (
                <p class="hint">{problems.length > 0 ? 'Fix the problems to see a preview.' : 'Loading…'}</p>
              ))}
            {tab === 'live' && <LiveView live={live} />}
            {tab === 'webhook' && <WebhookView live={live} />}
            {tab === 'code' && <CodeView {...{ dialect, body, interaction }} />}
          </Tabs>
        </section>
      </div>
    </Page>
  );
}

interface ProblemsProps {
  problems: readonly LocatedProblem[];
  onShow(problem: LocatedProblem): void;
}

/** Problems with their lines. A click selects the position in the editor. */
const Problems = ({ problems, onShow }: ProblemsProps) => (
  <ul class="wrong-list">
    {problems.map((each) => (
      <li key={`${each.pointer} ${each.message}`}>
        <button type="button" class="link-button" onClick={() => onShow(each)}>
          Line {each.line}
          <span class="visually-hidden">, show in editor</span>
        </button>
        <span>
          {each.pointer && <code>{each.pointer}</code>} {each.message}
        </span>
      </li>
    ))}
  </ul>
);
