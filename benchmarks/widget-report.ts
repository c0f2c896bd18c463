/** What was found of the widget, as lines for people. */
import { loadavg } from 'node:os';
import { median } from './statistics.ts';
import { medianTyping, type WidgetFindings } from './widget.ts';
import { slowedDown } from './widget-speed.ts';

export function widgetLines(findings: WidgetFindings): string[] {
  const { sizes, others, interactiveMs, interactiveWithServerMs, typing } = findings;
  const rows = [
    ['holdpoint, loader', kb(sizes.loader)],
    ['holdpoint, a conversation', kb(sizes.core)],
    ['holdpoint, a form with text, select, date and rating', kb(sizes.form)],
    ...others.map(({ name, packages, bytes, fault }) => [
      `${name} (${packages.join(', ')})`,
      bytes === undefined ? `could not be had: ${fault}` : kb(bytes),
    ]),
  ] as const;
  const width = Math.max(...rows.map(([name]) => name?.length ?? 0));
  const { longestFrameMs, dropped } = medianTyping(typing);
  const [{ fields, characters } = { fields: 0, characters: 0 }] = typing;
  return [
    'minified, gzip -9, without what is fetched later',
    ...rows.map(([name, size]) => `${name?.padEnd(width)}  ${size}`),
    '',
    `processor slowed down ${slowedDown} times; from the arrival of widget.js until the first input has the focus and takes a letter`,
    `with the answers of the server at hand: median ${whole(median(interactiveMs))} of ${interactiveMs.map(whole).join(', ')} ms`,
    `with the server of this machine asked:  median ${whole(median(interactiveWithServerMs))} of ${interactiveWithServerMs.map(whole).join(', ')} ms`,
    `typing ${characters} characters into a form of ${fields} fields: longest frame ${longestFrameMs.toFixed(1)} ms, ${dropped} frames dropped (medians of ${typing.length})`,
    `load of the machine in the last minute: ${loadavg()[0]?.toFixed(1)}`,
  ];
}

const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1).padStart(6)} KB`;
const whole = (ms: number): string => ms.toFixed(0);
