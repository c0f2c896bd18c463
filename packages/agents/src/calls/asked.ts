/** What the journal notes of a question that is open. */
export interface Asked {
  interactionId: string;
  /** Messages up to here were there before it was asked. */
  afterSeq: number;
  /** The message that withdrew it. */
  interruptedBy?: number;
}
