/** A page whose script is loaded when it is first shown. After a failure the user can retry. */
import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import { Failed } from '../parts/states.tsx';

interface PageOfRoute {
  id?: string;
}

type Loaded = ComponentType<PageOfRoute>;

/** `fetch` loads the script ahead of time. */
type LazyPage = Loaded & { fetch(): Promise<void> };

export function lazyPage(load: () => Promise<{ default: Loaded }>): LazyPage {
  let loaded: Loaded | undefined;
  let loading: Promise<void> | undefined;
  const fetch = () => {
    loading ??= load().then(
      (module) => {
        loaded = module.default;
      },
      (error: unknown) => {
        loading = undefined;
        throw error;
      },
    );
    return loading;
  };
  const Lazy = (props: PageOfRoute) => {
    const [fault, setFault] = useState<unknown>();
    const [tries, setTries] = useState(0);
    const [, redraw] = useState(false);
    useLayoutEffect(() => {
      if (loaded) return;
      let isGone = false;
      fetch().then(
        () => isGone || redraw(true),
        () => isGone || setFault(new Error(notLoaded)),
      );
      return () => {
        isGone = true;
      };
    }, [tries]);
    const Page = loaded;
    if (Page) return <Page {...props} />;
    if (fault === undefined) return <div class="page" aria-busy="true" />;
    const retry = () => {
      setFault(undefined);
      // A browser remembers that a module failed. Only a reload requests it again.
      if (tries > 0) location.reload();
      setTries(tries + 1);
    };
    return (
      <div class="page">
        <Failed error={fault} onRetry={retry} />
      </div>
    );
  };
  return Object.assign(Lazy, { fetch });
}

const notLoaded = 'Could not load this page. The server may have been updated or stopped.';
