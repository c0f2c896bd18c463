/** One line of the table. */
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
