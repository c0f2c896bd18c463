/** Finds one option by part of its text: a combobox, as in the ARIA Authoring Practices Guide. */
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { VisibleText } from './inline.tsx';

export interface Option {
  id: string;
  name: string;
  /** More about it, in small text. */
  about?: string | undefined;
}

/** The properties of every field that picks somebody. */
export interface PickerProps {
  label: string;
  hint?: ComponentChildren;
  fault?: string | undefined;
  /** Ids that are not offered. */
  without?: readonly string[];
  /** Empties the field after each choice, to pick several people one after the other. */
  isRepeated?: boolean;
  /** In a bar of filters the label is only for screen readers. */
  isLabelHidden?: boolean;
  placeholder?: string;
}

interface ComboboxProps<Each extends Option> extends PickerProps {
  /** The name of the picked option. */
  picked: string | undefined;
  onPick(option: Each | undefined): void;
  /** Returns at least `most` options, if there are as many. An empty text finds all. */
  find(text: string, most: number): Promise<readonly Each[]>;
  /** The options in words, such as `person` and `people`. */
  one: string;
  many: string;
}

const shownOptions = 8;
/** Long enough to finish a few letters. */
const settleMs = 200;

export function Combobox<Each extends Option>(props: ComboboxProps<Each>) {
  const { label, hint, fault, picked, onPick, find, without = [], isRepeated = false, isLabelHidden = false } = props;
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const [found, setFound] = useState<{ of: string; options: readonly Each[] }>();
  const [at, setAt] = useState(0);
  const [isOpen, open] = useState(false);
  const text = typed ?? picked ?? '';
  const options = (found?.options ?? []).filter((option) => !without.includes(option.id)).slice(0, shownOptions);
  const isLoading = isOpen && found?.of !== text;
  const latest = useRef(0);

  useEffect(() => {
    if (!isOpen) return;
    latest.current += 1;
    const turn = latest.current;
    const timer = setTimeout(async () => {
      const options = await find(typed === undefined ? '' : text.trim(), shownOptions + without.length).catch(() => []);
      if (turn !== latest.current) return;
      setFound({ of: text, options });
      setAt(0);
    }, settleMs);
    return () => clearTimeout(timer);
  }, [isOpen, text]);

  const pick = (option: Each) => {
    onPick(option);
    setTyped(isRepeated ? '' : undefined);
    if (isRepeated) setFound(undefined);
    open(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      open(true);
      if (isOpen && options.length > 0)
        setAt((at + (event.key === 'ArrowDown' ? 1 : options.length - 1)) % options.length);
    } else if (event.key === 'Enter' && isOpen && options[at]) pick(options[at]);
    else if (event.key === 'Escape' && isOpen) {
      open(false);
      setTyped(undefined);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field picker">
      <label for={id} class={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <div class="picker-box">
        <input
          id={id}
          class="control"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && options[at] ? `${id}-${at}` : undefined}
          aria-describedby={described || undefined}
          aria-invalid={fault ? true : undefined}
          autocomplete="off"
          spellcheck={false}
          placeholder={props.placeholder}
          value={text}
          onInput={({ currentTarget }) => {
            setTyped(currentTarget.value);
            if (picked !== undefined) onPick(undefined);
            open(true);
          }}
          onClick={() => open(true)}
          onBlur={() => {
            open(false);
            setTyped(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        {/* The input keeps the focus, and names the current option. */}
        <div
          id={`${id}-list`}
          class="picker-list"
          role="listbox"
          aria-label={props.label}
          hidden={!isOpen || options.length === 0}
          tabIndex={-1}
        >
          {options.map((option, index) => (
            <div
              key={option.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              // Keeps the focus in the input, whose blur would close the list first.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(option)}
              onKeyDown={() => {}}
            >
              <span class="picker-name">
                <VisibleText text={option.name} />
              </span>
              {option.about && (
                <span class="cell-sub clip">
                  <VisibleText text={option.about} />
                </span>
              )}
            </div>
          ))}
        </div>
        {isOpen && !isLoading && options.length === 0 && (
          <p class="picker-list picker-none hint">No matching {props.many}</p>
        )}
      </div>
      <p class="visually-hidden" role="status">
        {isOpen && !isLoading && `${options.length} ${options.length === 1 ? props.one : props.many} found`}
      </p>
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </div>
  );
}
