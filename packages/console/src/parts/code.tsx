/** Lines for a terminal or a file, with a button that copies them. */
import { CopyButton } from './copy-button.tsx';

export function Code({ text, what = 'the code' }: { text: string; what?: string }) {
  return (
    <div class="code">
      <pre tabIndex={0} role="region" aria-label={`Text of ${what}`}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} what={what} />
    </div>
  );
}
