/** The widget in a real browser: what it weighs beside others, how soon it can be used, and how smoothly. */
import type { BenchStore } from './bench-store.ts';
import { median } from './statistics.ts';
import { measureOthers, type OtherSize } from './widget-others.ts';
import { measureWidgetSizes, type WidgetSizes } from './widget-sizes.ts';
import { measureInteractive, measureTyping, type Typing } from './widget-speed.ts';
import { openWidgetStage } from './widget-stage.ts';

export interface WidgetFindings {
  sizes: WidgetSizes;
  others: OtherSize[];
  /** From the arrival of widget.js to an input that takes a letter, with the answers of the server at hand. */
  interactiveMs: number[];
  /** The same with the server of this machine asked. */
  interactiveWithServerMs: number[];
  typing: Typing[];
}

export async function measureWidget(
  store: BenchStore,
  { times, typings }: { times: number; typings: number },
): Promise<WidgetFindings> {
  const others = await measureOthers();
  const stage = await openWidgetStage(store);
  try {
    const sizes = await measureWidgetSizes(stage);
    const interactiveMs = await measureInteractive(stage, { times, isAnswered: true });
    const interactiveWithServerMs = await measureInteractive(stage, { times, isAnswered: false });
    const typing: Typing[] = [];
    for (let time = 0; time < typings; time++) typing.push(await measureTyping(stage));
    return { sizes, others, interactiveMs, interactiveWithServerMs, typing };
  } finally {
    await stage.close();
  }
}

export const medianTyping = (typing: readonly Typing[]): { longestFrameMs: number; dropped: number } => ({
  longestFrameMs: median(typing.map(({ longestFrameMs }) => longestFrameMs)),
  dropped: median(typing.map(({ dropped }) => dropped)),
});
