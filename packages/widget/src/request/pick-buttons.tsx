/** A choice of one: a tap on a button answers. The one that was tapped shows that it is on its way. */
import type { FieldOf } from '@holdpoint/protocol';
import { OptionText } from '../fields/choice-controls.tsx';
import type { Strings } from '../strings/strings.ts';
import { inWords } from './approval-words.ts';

interface PickButtonsProps {
  field: FieldOf<'select'>;
  id: string;
  suggested: unknown;
  /** The value that is being sent. */
  sending: string | undefined;
  onPick(value: string): void;
  strings: Strings;
}

export function PickButtons({ field, id, suggested, sending, onPick, strings }: PickButtonsProps) {
  return (
    <div class="picks" role="group" aria-label={field.label ?? field.name}>
      {field.options
        .map((given) => inWords(given, strings))
        .map((option, index) => (
          <button
            key={option.value}
            id={index === 0 ? id : undefined}
            type="button"
            class={`button ${option.variant ?? 'secondary'}`}
            aria-disabled={sending !== undefined || undefined}
            onClick={() => onPick(option.value)}
          >
            {sending === option.value ? (
              strings.sending
            ) : (
              <OptionText
                option={option.value === suggested ? { ...option, recommended: true } : option}
                strings={strings}
              />
            )}
          </button>
        ))}
    </div>
  );
}
