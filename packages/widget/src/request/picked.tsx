/** Shows the option that an answer picked, in a choice or an approval. */
import type { Interaction } from '@holdpoint/protocol';
import { pickedOptions } from '@holdpoint/protocol/answers';
import { VisibleText } from '../blocks/visible-text.tsx';
import type { Values } from '../form/form-state.ts';
import type { Strings } from '../strings/strings.ts';
import { inWords } from './approval-words.ts';

interface PickedProps {
  interaction: Interaction;
  values: Values | undefined;
  strings: Strings;
}

export function Picked({ interaction, values, strings }: PickedProps) {
  const labels = pickedOptions(interaction, values ?? {}).map((option) => inWords(option, strings).label);
  return labels.length > 0 ? (
    <strong>
      <bdi>
        <VisibleText text={labels.join(', ')} />
      </bdi>
    </strong>
  ) : null;
}
