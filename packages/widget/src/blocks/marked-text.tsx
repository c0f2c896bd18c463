/** Shows a text with its hidden characters named, each in its own box, or as plain text if no box is possible. */
import { visibleParts, visibleText } from '@holdpoint/protocol/answers';

export const MarkedText = ({ text, isPlain }: { text: string; isPlain?: boolean }) => (
  <>
    {isPlain
      ? visibleText(text)
      : visibleParts(text).map((part, index) =>
          index % 2 === 0 ? (
            part
          ) : (
            <mark key={index} dir="ltr">
              {part}
            </mark>
          ),
        )}
  </>
);

/** Repeats the value of a control under it if the control has characters that cannot be seen. */
export const HiddenHint = ({ text }: { text: string }) =>
  visibleParts(text).length > 1 ? (
    <p class="hint plain" dir="auto">
      <MarkedText text={text} />
    </p>
  ) : null;
