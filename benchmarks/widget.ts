/** Measures the widget in a real browser: its size beside others, the time until it can be used, and dropped frames. */
import type { BenchStore } from './bench-store.ts';
import { median } from './rows.ts';
import { openPlainBrowser } from './widget-browser.ts';
import { type Interactive, measureInteractive, type SceneName } from './widget-interactive.ts';
import { measureOthers, type OtherSize } from './widget-others.ts';
import { measureWidgetSizes, type WidgetSizes } from './widget-sizes.ts';
import { openWidgetStage, type WidgetStage } from './widget-stage.ts';
import { measureTyping, type Typing } from './widget-typing.ts';

export interface WidgetFindings {
  sizes: WidgetSizes;
  others: OtherSize[];
  interactive: Record<SceneName, Interactive>;
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
    return { sizes, others, ...(await measureSpeed(stage, { times, typings })) };
  } finally {
    await stage.close();
  }
}

async function measureSpeed(
  stage: WidgetStage,
  { times, typings }: { times: number; typings: number },
): Promise<Pick<WidgetFindings, 'interactive' | 'typing'>> {
  const browser = await openPlainBrowser();
  try {
    const interactive = await measureInteractive(stage, browser, times);
    const typing: Typing[] = [];
    for (let time = 0; time < typings; time++) typing.push(await measureTyping(stage, browser));
    return { interactive, typing };
  } finally {
    await browser.close();
  }
}

export interface TypingMedians {
  longestFrameMs: number;
  dropped: number;
  droppedInBareForm: number;
  letterMs: number;
  bareLetterMs: number;
}

export const medianTyping = (typing: readonly Typing[]): TypingMedians => ({
  longestFrameMs: median(typing.map(({ longestFrameMs }) => longestFrameMs)),
  dropped: median(typing.map(({ dropped }) => dropped)),
  droppedInBareForm: median(typing.map(({ droppedInBareForm }) => droppedInBareForm)),
  letterMs: median(typing.flatMap(({ processorMsOfLetters }) => processorMsOfLetters)),
  bareLetterMs: median(typing.flatMap(({ processorMsInBareForm }) => processorMsInBareForm)),
});
