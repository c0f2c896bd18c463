/** What the journal notes of a question that is open. */
export interface Asked {
  interactionId: string;
  /** The message that withdrew it. */
  interruptedBy?: number;
}
