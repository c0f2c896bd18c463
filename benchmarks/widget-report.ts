/** The results for the widget, as lines of text. */
import { loadavg } from 'node:os';
import { median } from './rows.ts';
import { medianTyping, type WidgetFindings } from './widget.ts';
import { type Interactive, type SceneName, slowedDown } from './widget-interactive.ts';

export function widgetLines(findings: WidgetFindings): string[] {
  const { sizes, others, interactive, typing } = findings;
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
  const { longestFrameMs, dropped, droppedInBareForm, letterMs, bareLetterMs } = medianTyping(typing);
  const [{ fields, characters } = { fields: 0, characters: 0 }] = typing;
  return [
    'minified, gzip -9, without what is fetched later',
    ...rows.map(([name, size]) => `${name?.padEnd(width)}  ${size}`),
    '',
    `in a page at rest, processor slowed down ${slowedDown} times; from the arrival of the script until it has the focus and takes a letter`,
    ...Object.entries(interactive).map(([name, times]) => line(sceneNames[name as SceneName], times)),
    `typing ${characters} characters into a form of ${fields} fields (medians of ${typing.length}), and into a bare one without script:`,
    `  frames dropped ${dropped}, bare ${droppedInBareForm}; longest frame ${longestFrameMs.toFixed(1)} ms`,
    `  processor time of one letter ${letterMs.toFixed(1)} ms, bare ${bareLetterMs.toFixed(1)} ms`,
    `processor time is that of the main thread at full speed, times ${slowedDown}: it depends much less on who else uses the machine`,
    `load of the machine in the last minute: ${loadavg()[0]?.toFixed(1)}`,
  ];
}

const sceneNames: Record<SceneName, string> = {
  launcher: 'the launcher, from loader.js',
  composer: 'the composer of <holdpoint-chat>',
  form: 'a form in <holdpoint-requests>, answers of the server at hand',
  formWithServer: 'a form in <holdpoint-requests>, server of this machine asked',
};

const line = (name: string, { wallMs, processorMs }: Interactive): string =>
  `${name}: median ${whole(median(wallMs))} of ${wallMs.map(whole).join(', ')} ms; processor time ${whole(median(processorMs))} ms`;

const kb = (bytes: number): string => `${(bytes / 1_000).toFixed(1).padStart(6)} KB`;
const whole = (ms: number): string => ms.toFixed(0);
