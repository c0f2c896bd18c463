/** The lines of the table, and the percentiles in them. */
export interface Row {
  operation: string;
  clients: number;
  stored: number;
  perSecond?: number;
  p50Ms: number;
  p99Ms: number;
  ceilingPerSecond?: number;
  /** Share of the ceiling's requests per second, in the same rounds. */
  ratio?: number;
  /** Processor time of the server per request, all threads. */
  processorUs?: number;
  ceilingProcessorUs?: number;
  /** Resident memory of the server after it. */
  memoryMb?: number;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);
