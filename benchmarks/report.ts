/** Prints the results as a table and stores them as JSON, so that later runs can be compared. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Row } from './rows.ts';
import { type Findings, judge } from './targets.ts';
import { widgetLines } from './widget-report.ts';

export function render(findings: Findings): string {
  const head = [
    'operation',
    'clients',
    'stored',
    'req/s',
    'p50 ms',
    'p99 ms',
    'ceiling',
    'ratio',
    'cpu µs',
    'ceiling',
    'memory',
  ];
  const lines = findings.rows.length > 0 ? [head, ...findings.rows.map(cells)] : [];
  const widths = head.map((_name, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) =>
    line
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  '),
  );
  const targets = judge(findings).map(
    ({ name, value, bound, isAtLeast, isMet }) =>
      `${isMet ? 'met   ' : 'MISSED'}  ${name} ${value.toFixed(2)} (${isAtLeast ? 'at least' : 'at most'} ${bound})`,
  );
  const notes = findings.notes.length > 0 ? ['', ...findings.notes] : [];
  const widget = findings.widget ? [...widgetLines(findings.widget), ''] : [];
  return `${[...table, '', ...widget, ...targets, ...notes].join('\n')}\n`;
}

function cells(row: Row): string[] {
  const { operation, clients, stored, perSecond, p50Ms, p99Ms, ceilingPerSecond, ratio } = row;
  const { processorUs, ceilingProcessorUs, memoryMb } = row;
  return [
    operation,
    String(clients),
    stored.toLocaleString('en'),
    perSecond?.toFixed(0) ?? '',
    p50Ms.toFixed(2),
    p99Ms.toFixed(2),
    ceilingPerSecond?.toFixed(0) ?? '',
    ratio?.toFixed(2) ?? '',
    processorUs?.toFixed(0) ?? '',
    ceilingProcessorUs?.toFixed(0) ?? '',
    memoryMb === undefined ? '' : `${memoryMb.toFixed(0)} MB`,
  ];
}

/** Returns the path of the written file. */
export function save(findings: Findings, settings: object): string {
  const folder = fileURLToPath(new URL('./results/', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const at = new Date().toISOString();
  const path = `${folder}${at.slice(0, 19).replaceAll(':', '')}-${revision()}.json`;
  const machine = {
    cpus: cpus().map(({ model }) => model),
    cores: availableParallelism(),
    memoryMb: Math.round(totalmem() / 1024 ** 2),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
  };
  writeFileSync(path, `${JSON.stringify({ at, machine, settings, ...findings, targets: judge(findings) }, null, 2)}\n`);
  return path;
}

function revision(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim();
  return git('status', '--porcelain', '--', 'packages') === '' ? git('rev-parse', '--short', 'HEAD') : 'dirty';
}
