/** A component that is fetched when it is first shown, or before, by who knows that it will be. */
import type { ComponentType, FunctionComponent } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

export type Lazy<P> = FunctionComponent<P> & { fetch(): Promise<void> };

export function lazily<P extends object>(load: () => Promise<ComponentType<P>>): Lazy<P> {
  let loading: Promise<void> | undefined;
  let loaded: ComponentType<P> | undefined;
  const fetch = () => {
    loading ??= load().then(
      (component) => {
        loaded = component;
      },
      // A chunk that did not come is asked for again the next time.
      () => {
        loading = undefined;
      },
    );
    return loading;
  };
  const LazyComponent = (props: P) => {
    const [, redraw] = useState(0);
    // Not after the next picture, as other effects: that would be a frame lost before it is even asked for.
    useLayoutEffect(() => {
      let isGone = false;
      if (!loaded) void fetch().then(() => isGone || redraw(1));
      return () => {
        isGone = true;
      };
    }, []);
    const Component = loaded;
    return Component ? <Component {...props} /> : <div class="placeholder" aria-hidden="true" />;
  };
  return Object.assign(LazyComponent, { fetch });
}
