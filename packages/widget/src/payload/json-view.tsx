/** Edits a part as JSON: if there is no control for it, or if the person prefers JSON. */
import { useState } from 'preact/hooks';
import { OwnText } from '../blocks/untrusted.tsx';
import { notesOf } from '../form/field-row.tsx';
import { Unreadable } from './node.ts';
import type { LabelledProps } from './part.tsx';

export function JsonView({ label, description, pointer, isRequired, value, problems, shared }: LabelledProps) {
  const { strings, idPrefix, set } = shared;
  const id = idPrefix + pointer;
  const [text, setText] = useState(() => textOf(value));
  // Problems of inner parts have no control of their own here.
  const wrong = [...problems].flatMap(([at, words]) => (at === pointer || at.startsWith(`${pointer}/`) ? [words] : []));
  const isInvalid = wrong.length > 0;
  const { notes, describedBy } = notesOf(id, { about: description, problem: wrong.join(' ') });
  return (
    <div class={isInvalid ? 'row invalid' : 'row'}>
      <label class="label" for={id}>
        <OwnText text={label} /> <span class="hint">{isRequired ? 'JSON' : `JSON, ${strings.optional}`}</span>
      </label>
      {notes}
      <textarea
        id={id}
        class="control json"
        rows={Math.min(16, Math.max(4, text.split('\n').length + 1))}
        dir="ltr"
        spellcheck={false}
        autocomplete="off"
        aria-invalid={isInvalid || undefined}
        aria-describedby={describedBy}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          set(pointer, readJson(event.currentTarget.value));
        }}
      />
    </div>
  );
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return value instanceof Unreadable ? value.text : JSON.stringify(value, null, 2);
}

function readJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return new Unreadable(text);
  }
}
