/** Buttons, and actions that run once at a time. */
import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { wordsFor } from '../service.ts';
import { toast } from './toasts.tsx';

interface ButtonProps {
  text: ComponentChildren;
  /** The accessible name, where the text alone is ambiguous. */
  name?: string;
  look?: '' | 'primary' | 'danger' | 'small' | 'small primary' | 'primary wide' | 'wide';
  type?: 'button' | 'submit';
  isOff?: boolean;
  onClick?(): unknown;
}

/** A disabled button keeps the focus, so its `onClick` must check `isOff` too. */
export const Button = ({ text, name, look = '', type = 'button', isOff, onClick }: ButtonProps) => (
  <button
    type={type}
    class={`button ${look}`}
    aria-label={name}
    aria-disabled={isOff || undefined}
    onClick={() => void onClick?.()}
  >
    {text}
  </button>
);

/** Runs an action once at a time. Returns the function that starts it, and whether it runs. */
export function useAction<Input extends unknown[]>(
  act: (...input: Input) => Promise<unknown>,
  onFault = (error: unknown): void => toast(wordsFor(error), 'bad'),
): [start: (...input: Input) => Promise<void>, isBusy: boolean] {
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const start = async (...input: Input) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    await act(...input).catch(onFault);
    isRunning.current = false;
    setBusy(false);
  };
  return [start, isBusy];
}
