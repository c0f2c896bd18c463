/** Previews the request as the responder will see it. The entered answer is shown and not sent. */
import type { Interaction } from '@holdpoint/protocol';
import type { PreviewElement, Previewed } from '@holdpoint/widget/preview';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Code } from '../parts/code.tsx';
import { useWidgetTheme } from '../preferences.ts';

export function PreviewCard({ interaction }: { interaction: Interaction }) {
  const box = useRef<HTMLDivElement>(null);
  const element = useRef<PreviewElement | undefined>(undefined);
  const [sent, setSent] = useState<Previewed>();
  const latest = useRef(interaction);
  latest.current = interaction;
  useEffect(() => {
    let isGone = false;
    const onSent = (event: Event) => setSent((event as CustomEvent<Previewed>).detail);
    void import('@holdpoint/widget/preview').then(() => {
      if (isGone) return;
      const made = document.createElement('holdpoint-preview') as PreviewElement;
      made.interaction = latest.current;
      made.addEventListener('holdpoint-previewed', onSent);
      element.current = made;
      box.current?.append(made);
    });
    return () => {
      isGone = true;
      element.current?.remove();
    };
  }, []);
  useEffect(() => {
    setSent(undefined);
    if (element.current) element.current.interaction = interaction;
  }, [interaction]);
  useWidgetTheme(() => element.current);
  return (
    <>
      <div class="widget" ref={box} />
      <div role="status" class="previewed">
        {sent && (
          <>
            <p class="hint">Preview only, nothing was sent. The agent would receive:</p>
            <Code text={JSON.stringify(sent, null, 2)} what="the answer" />
          </>
        )}
      </div>
    </>
  );
}
