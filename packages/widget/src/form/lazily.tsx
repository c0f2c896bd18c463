/** A component that is fetched when it is first shown. */
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loading: Promise<ComponentType<P>> | undefined;
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const [, redraw] = useState(0);
    useEffect(() => {
      // It may have come since this was drawn.
      if (loaded) return redraw(1);
      let isGone = false;
      loading ??= load();
      loading.then(
        (component) => {
          loaded = component;
          if (!isGone) redraw(1);
        },
        // A chunk that did not come is asked for again the next time.
        () => {
          loading = undefined;
        },
      );
      return () => {
        isGone = true;
      };
    }, []);
    const Component = loaded;
    return Component ? <Component {...props} /> : <div class="placeholder" aria-hidden="true" />;
  };
}
