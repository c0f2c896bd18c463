/** A question without a form, for a user who may not answer it. Loads the widget's element on first use. */
import type { Interaction } from '@holdpoint/protocol';
import type { QuestionElement } from '@holdpoint/widget/question';
import { useEffect, useRef } from 'preact/hooks';
import { useWidgetTheme } from '../preferences.ts';

export function QuestionCard({ interaction }: { interaction: Interaction }) {
  const box = useRef<HTMLDivElement>(null);
  const element = useRef<QuestionElement | undefined>(undefined);
  const latest = useRef(interaction);
  latest.current = interaction;
  useEffect(() => {
    let isGone = false;
    void import('@holdpoint/widget/question').then(() => {
      if (isGone) return;
      const made = document.createElement('holdpoint-question') as QuestionElement;
      made.interaction = latest.current;
      element.current = made;
      box.current?.append(made);
    });
    return () => {
      isGone = true;
      element.current?.remove();
    };
  }, []);
  useEffect(() => {
    if (element.current) element.current.interaction = interaction;
  }, [interaction]);
  useWidgetTheme(() => element.current);
  return <div class="widget" ref={box} />;
}
