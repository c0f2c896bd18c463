/** A page whose script is loaded when it is first shown. After a failure the user can retry. */
import type { ComponentType } from 'preact';
import { useRef } from 'preact/hooks';
import { useLoad } from '../load.ts';
import { Failed } from '../parts/states.tsx';

type Loaded = ComponentType<{ id?: string }>;

/** `fetch` loads the script ahead of time. */
type LazyPage = Loaded & { fetch(): Promise<void> };

export function lazyPage(load: () => Promise<{ default: Loaded }>): LazyPage {
  let Page: Loaded | undefined;
  let loading: Promise<void> | undefined;
  const fetch = () => {
    loading ??= load().then(
      (module) => {
        Page = module.default;
      },
      () => {
        loading = undefined;
        throw new Error('Could not load this page. The server may have been updated or stopped.');
      },
    );
    return loading;
  };
  const Lazy: Loaded = (props) => {
    const { error, isLoading, reload } = useLoad(fetch, []);
    const tries = useRef(0);
    if (Page) return <Page {...props} />;
    if (isLoading) return <div class="page" aria-busy="true" />;
    const retry = () => {
      // A browser remembers that a module failed. Only a reload requests it again.
      if (tries.current > 0) location.reload();
      tries.current += 1;
      reload();
    };
    return (
      <div class="page">
        <Failed error={error} onRetry={retry} />
      </div>
    );
  };
  return Object.assign(Lazy, { fetch });
}
