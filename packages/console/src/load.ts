/** Something of the server that a page shows: loading, there, or failed. What is there stays while it is loaded again. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  reload(): void;
}

interface State<T> {
  data: T | undefined;
  error: unknown;
  isLoading: boolean;
  /** Of which thing it is. */
  of: string | undefined;
}

/** `inputs`: what `load` depends on. `of`: those of them that make it another thing; all, unless it is said. */
export function useLoad<T>(load: () => Promise<T>, inputs: readonly unknown[], of = inputs): Loaded<T> {
  const [state, setState] = useState<State<T>>({ data: undefined, error: undefined, isLoading: true, of: undefined });
  const latest = useRef(0);
  const thing = JSON.stringify(of);
  const run = useCallback(() => {
    latest.current += 1;
    const turn = latest.current;
    const settle = (next: (before: State<T>) => State<T>) => {
      if (turn === latest.current) setState(next);
    };
    setState((before) => ({ ...before, isLoading: true }));
    load().then(
      (data) => settle(() => ({ data, error: undefined, isLoading: false, of: thing })),
      (error: unknown) =>
        settle((before) => ({
          data: before.of === thing ? before.data : undefined,
          error,
          isLoading: false,
          of: thing,
        })),
    );
  }, [JSON.stringify(inputs)]);
  useEffect(() => {
    run();
    return () => {
      latest.current += 1;
    };
  }, [run]);
  // What belongs to another thing is not shown as if it were of this one.
  const isOfOther = state.of !== undefined && state.of !== thing;
  return {
    data: isOfOther ? undefined : state.data,
    error: isOfOther ? undefined : state.error,
    isLoading: state.isLoading || isOfOther,
    reload: run,
  };
}
