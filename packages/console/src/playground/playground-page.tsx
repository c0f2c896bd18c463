/** The playground: edit a request as JSON, preview it, create it, answer it, and copy it as code. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { CopyButton } from '../parts/code.tsx';
import { Page } from '../parts/page.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { type DialectName, dialectWords, isDialect, loadSchemas } from './asking.ts';
import { CodeView } from './code-view.tsx';
import { Editor } from './editor.tsx';
import { examplesOf } from './examples.ts';
import { objectAt, withKey } from './json-text.ts';
import { type AllowedKey, allowedAt, KeyHelp } from './key-help.tsx';
import { LiveView, useLive } from './live-view.tsx';
import { PreviewCard } from './preview-card.tsx';
import { useShared } from './share-link.ts';
import { useRequest, type Wrong } from './use-request.ts';
import { WebhookView } from './webhook-view.tsx';

type Tab = 'preview' | 'live' | 'webhook' | 'code';
const tabs: readonly { id: Tab; title: string }[] = [
  { id: 'preview', title: 'Preview' },
  { id: 'live', title: 'Answer' },
  { id: 'webhook', title: 'Webhook' },
  { id: 'code', title: 'Code' },
];

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

export default function PlaygroundPage() {
  const [dialect, setDialect] = useState<DialectName>('native');
  const [text, setText] = useState(() => pretty(examplesOf.native()[0]?.body));
  const link = useShared(dialect, text, (shared) => {
    if (isDialect(shared.dialect)) setDialect(shared.dialect);
    setText(shared.text);
  });
  const [tab, setTab] = useState<Tab>('preview');
  const request = useRequest(dialect, text);
  const { read, body, interaction, wrong, isLookedAt } = request;
  const live = useLive(() => setTab('live'));
  const [caret, setCaret] = useState(0);
  const [selected, select] = useState<{ start: number; end: number }>();
  const schemas = useLoad(() => loadSchemas(dialect), [dialect]).data;
  const examples = useMemo(() => examplesOf[dialect](), [dialect]);
  const lastPointer = useRef('');
  if (read.ok) lastPointer.current = objectAt(read.places, read.value, caret);
  const pointer = lastPointer.current;
  const keys = schemas && read.ok ? allowedAt(schemas, read.value, pointer) : undefined;
  const wrongLines = useMemo(() => new Set(wrong.map(({ line }) => line)), [wrong]);
  const mayCreate = body !== undefined && wrong.length === 0 && !live.isAsking;

  const begin = (next: DialectName, index: number) => {
    setDialect(next);
    setText(pretty(examplesOf[next]()[index]?.body));
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
          <button
            type="button"
            class="button primary"
            aria-disabled={!mayCreate || undefined}
            onClick={() => body && mayCreate && live.create(dialect, body)}
          >
            {live.isAsking ? 'Creating…' : 'Create request'}
          </button>
        </>
      }
    >
      <div class="playground">
        <section class="playground-left" aria-label="Request">
          <div class="playground-bar">
            <label class="field">
              <span>Dialect</span>
              <select
                class="control"
                value={dialect}
                onChange={({ currentTarget }) => begin(currentTarget.value as DialectName, 0)}
              >
                {Object.entries(dialectWords).map(([id, name]) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            </label>
            <label class="field">
              <span>Example</span>
              <select
                class="control"
                value={examples.find((each) => pretty(each.body) === text)?.name ?? ''}
                onChange={({ currentTarget }) => begin(dialect, currentTarget.selectedIndex - 1)}
              >
                <option value="" disabled>
                  Custom
                </option>
                {examples.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </label>
            <button
              type="button"
              class="button small"
              aria-disabled={!read.ok || undefined}
              onClick={() => read.ok && setText(pretty(read.value))}
            >
              Format
            </button>
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
            {wrong.length > 0 ? (
              <Problems wrong={wrong} onShow={({ start, end }) => select({ start, end })} />
            ) : (
              <p class="hint">{isLookedAt ? 'Valid request' : 'Checking…'}</p>
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
                <p class="hint">{wrong.length > 0 ? 'Fix the problems to see a preview.' : 'Loading…'}</p>
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

/** Problems with their lines. A click selects the place in the editor. */
function Problems({ wrong, onShow }: { wrong: readonly Wrong[]; onShow(wrong: Wrong): void }) {
  return (
    <ul class="wrong-list">
      {wrong.map((each) => (
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
}
