/** A JSON editor with line numbers. Tab indents, brackets come in pairs, and Esc then Tab leaves the editor. */
import { useLayoutEffect, useRef } from 'preact/hooks';
import { edited } from './edit-keys.ts';

interface EditorProps {
  text: string;
  onText(text: string): void;
  /** Numbers of the lines with problems. */
  wrong: ReadonlySet<number>;
  onCaret(offset: number): void;
  describedBy: string;
  /** The range of a problem to show. A new object shows it again. */
  select: { start: number; end: number } | undefined;
}

const fewestLines = 14;

export function Editor({ text, onText, wrong, onCaret, describedBy, select }: EditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const isFree = useRef(false);
  const lines = text.split('\n').length;
  useLayoutEffect(() => {
    if (!select || !area.current) return;
    area.current.focus();
    area.current.setSelectionRange(select.start, select.end);
    const line = text.slice(0, select.start).split('\n').length;
    area.current.parentElement?.querySelector(`[data-line="${line}"]`)?.scrollIntoView({ block: 'nearest' });
  }, [select]);

  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    if (event.key === 'Escape') {
      isFree.current = true;
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === 'Tab' && isFree.current) return;
    isFree.current = false;
    const { value, selectionStart: start, selectionEnd: end } = event.currentTarget;
    const edit = edited({ value, start, end }, event.key, event.shiftKey);
    if (!edit) return;
    event.preventDefault();
    apply(event.currentTarget, edit);
    onText(event.currentTarget.value);
  };
  const reportCaret = () => onCaret(area.current?.selectionStart ?? 0);
  return (
    <div class="editor">
      <div class="editor-lines" aria-hidden="true">
        {Array.from({ length: Math.max(lines, fewestLines) }, (_, index) => (
          <span key={index} data-line={index + 1} class={wrong.has(index + 1) ? 'wrong' : undefined}>
            {index < lines ? index + 1 : ''}
          </span>
        ))}
      </div>
      <textarea
        ref={area}
        aria-label="Request as JSON"
        aria-describedby={describedBy}
        aria-invalid={wrong.size > 0 || undefined}
        rows={Math.max(lines, fewestLines)}
        wrap="off"
        spellcheck={false}
        autocapitalize="off"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onKeyUp={reportCaret}
        onClick={reportCaret}
        onFocus={reportCaret}
        onBlur={() => {
          isFree.current = false;
        }}
      />
    </div>
  );
}

/**
 * Inserts like typing, so that the user can undo it. Falls back to a direct change where the browser lacks the command.
 */
function apply(area: HTMLTextAreaElement, edit: ReturnType<typeof edited> & object): void {
  area.setSelectionRange(edit.from, edit.to);
  const isTyped =
    edit.text === ''
      ? edit.from === edit.to || document.execCommand('delete')
      : document.execCommand('insertText', false, edit.text);
  if (!isTyped) area.setRangeText(edit.text, edit.from, edit.to, 'end');
  area.setSelectionRange(edit.start, edit.end);
}
