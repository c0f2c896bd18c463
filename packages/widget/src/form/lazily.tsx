/** A component that is fetched when it is first shown, or earlier by a call of `fetch`. */
import type { ComponentType } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export function lazily<P extends object>(load: () => Promise<ComponentType<P>>) {
  let loading: Promise<void> | undefined;
  let loaded: ComponentType<P> | undefined;
  const fetch = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      // A script that did not load is fetched again the next time.
      () => {
        loading = undefined;
      },
    );
    return loading;
  };
  const LazyComponent = (props: P) => {
    const [, redraw] = useState(0);
    // A layout effect, because other effects run after the next paint, and the fetch would start a frame later.
    useLayoutEffect(() => {
      if (!loaded) void fetch().then(() => redraw(1));
    }, []);
    const Component = loaded;
    return Component ? <Component {...props} /> : <div class="placeholder" aria-hidden="true" />;
  };
  return Object.assign(LazyComponent, { fetch });
}
