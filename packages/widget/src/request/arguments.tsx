/** Shows the arguments of the action to approve. Arguments that may be edited are fields instead. */
import { visibleFields } from '@holdpoint/protocol/answers';
import { useState } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import type { Strings } from '../strings/strings.ts';
import { withArgumentRules } from '../style/arguments.ts';
import type { DetailProps } from './request-props.ts';

/** Longer values are visibly cut off until the person asks for all. */
const shownLength = 400;
const shownLines = 8;
/** Deeper values are JSON. */
const maxDepth = 4;

/** An argument whose field is hidden is shown here. Otherwise nobody would see it, and it would be approved as proposed. */
export function Arguments({ interaction, values, strings }: DetailProps) {
  const shown = visibleFields(interaction.fields, values);
  const editable = new Set(shown.flatMap((field) => ('name' in field ? [field.name] : [])));
  const entries = Object.entries(interaction.arguments ?? {}).filter(([name]) => !editable.has(name));
  if (entries.length === 0) return null;
  return (
    <section class="arguments" ref={withArgumentRules} aria-label={strings.argumentsTitle}>
      <h3>{strings.argumentsTitle}</h3>
      <Entries {...{ entries, strings }} depth={0} />
    </section>
  );
}

interface EntriesProps {
  entries: readonly [string, unknown][];
  depth: number;
  strings: Strings;
}

export const Entries = ({ entries, depth, strings }: EntriesProps) => (
  <dl>
    {entries.map(([name, value]) => (
      <div key={name} class={isPlain(value) ? undefined : 'nested'}>
        <OwnText tag="dt" text={name} />
        <dd>
          <Value {...{ value, depth, strings }} />
        </dd>
      </div>
    ))}
  </dl>
);

function Value({ value, depth, strings }: { value: unknown; depth: number; strings: Strings }) {
  if (typeof value === 'string') return <Long text={value} strings={strings} />;
  if (typeof value === 'boolean') return <>{value ? strings.yes : strings.no}</>;
  if (isPlain(value)) return <>{JSON.stringify(value)}</>;
  if (Array.isArray(value) && value.every(isPlain))
    return (
      <Long
        text={value.map((item) => (typeof item === 'string' ? item : JSON.stringify(item))).join('\n')}
        strings={strings}
      />
    );
  if (depth >= maxDepth || Array.isArray(value))
    return <Long text={JSON.stringify(value, null, 2)} isCode strings={strings} />;
  return <Entries entries={Object.entries(value as object)} depth={depth + 1} strings={strings} />;
}

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Object.keys(value).length === 0;

function Long({ text, isCode, strings }: { text: string; isCode?: boolean; strings: Strings }) {
  const [isWhole, showWhole] = useState(false);
  const start = text.split('\n', shownLines).join('\n').slice(0, shownLength);
  const isCut = start.length < text.length;
  const shown = isCut && !isWhole ? `${start}${text[start.length] === '\n' ? '\n' : ''}…` : text;
  return (
    <>
      {isCode ? <OwnText tag="pre" dir="ltr" text={shown} /> : <OwnText tag="span" class="value" text={shown} />}
      {isCut && (
        <button type="button" class="quiet more" aria-expanded={isWhole} onClick={() => showWhole(!isWhole)}>
          {isWhole ? strings.showLess : strings.showAll}
        </button>
      )}
    </>
  );
}
