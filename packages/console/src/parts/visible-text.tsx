/** Shows text that somebody else wrote, in its own direction, with its hidden characters named. */
import { visibleParts } from '@holdpoint/protocol';

export const VisibleText = ({ text }: { text: string }) => (
  <bdi>
    {visibleParts(text).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <mark key={index} dir="ltr">
          {part}
        </mark>
      ),
    )}
  </bdi>
);
