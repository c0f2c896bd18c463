/** The texts of the widget, as each language has them. */
import type { ComponentChild } from 'preact';
import type { AlwaysWords } from './always-words.ts';

export interface Strings {
  /** The descriptions of problems. A language without them uses the server's English. */
  problems?: ProblemWords;
  optional: string;
  suggested: string;
  submit: string;
  sending: string;
  /** An answer could not be sent. */
  sendFailed: string;
  /** A message could not be sent. The composer has it again. */
  messageFailed: string;
  questionChanged: string;
  decline: string;
  declineReason: string;
  /** The label of somebody's reason. */
  reason: string;
  declineSend: string;
  back: string;
  thereIsAProblem: string;
  yes: string;
  no: string;
  choose: string;
  noChoice: string;
  filterOptions: string;
  noOptionFound: string;
  selected(count: number): string;
  /** Says how many options to choose. */
  selections: Record<'exactly' | 'atLeast' | 'atMost', (count: number) => string> & {
    between(min: number, max: number): string;
  };
  clear: string;
  ratingOf(value: number, max: number): string;
  attach: string;
  dropHere: string;
  remove(name: string): string;
  uploading(name: string, percent: number): string;
  uploadFailed(name: string): string;
  tooLarge(maxMb: number): string;
  signHere: string;
  draw: string;
  type: string;
  upload: string;
  signatureName: string;
  argumentsTitle: string;
  /** Missing in English, because the card has the English words. */
  always?: AlwaysWords;
  /** The person has answered, and others still have to. */
  voted: string;
  answered: string;
  declined: string;
  expired: string;
  cancelled: string;
  /** The request was closed before the person's answer arrived. */
  notAccepted: string;
  /** The request was closed before the person sent what they had entered. */
  notSent: string;
  yourAnswer: string;
  /** Somebody else picked an option. */
  chose(responder: string, option: string): string;
  dismiss: string;
  /** The reason for a decision that no person made. */
  automatic: Record<'deadline' | 'grant' | 'resolution', string>;
  loading: string;
  notFound: string;
  offline: string;
  pendingRequests(count: number): string;
  newRequest(title: string): string;
  closedElsewhere(title: string): string;
  noRequests: string;
  reconnecting: string;
  conversation: string;
  writeMessage: string;
  send: string;
  you: string;
  agent: string;
  writing: string;
  brokenOff: string;
  jumpToNewest: string;
  inbox: string;
  filterRequests: string;
  noRequestFound: string;
  kind: string;
  allKinds: string;
  kinds: Record<'approval' | 'choice' | 'form' | 'input', string>;
  select(title: string): string;
  approveSelected(count: number): string;
  approveThese(count: number): string;
  approveAll: string;
  approving(done: number, all: number): string;
  someFailed(count: number): string;
  showPassword: string;
  hidePassword: string;
  allow: string;
  deny: string;
  /** Declining an approval, in words that nobody mistakes for denying it. */
  cannotDecide: string;
  cannotDecideAbout: string;
  cannotDecideSend: string;
  showAll: string;
  showLess: string;
  /** Says what happens at the deadline. */
  afterwards: Record<'expire' | 'recommended' | 'decline', string>;
  add(name: string): string;
  addItem: string;
  item(number: number): string;
  editJson: string;
  editForm: string;
  notJson: string;
  keysHint: string;
  selectAll(count: number): string;
}

export interface ProblemWords {
  /** Puts the label before the sentence, with the punctuation of the language. */
  about(label: string, sentence: string): string;
  fillIn: string;
  chooseOne: string;
  yesOrNo: string;
  rate: string;
  attach: string;
  sign: string;
  text: string;
  number: string;
  wholeNumber: string;
  atLeast(min: number): string;
  atMost(max: number): string;
  /** Without `from` the steps begin at zero. */
  steps(step: number, from: number | undefined): string;
  notBefore(min: string): string;
  notAfter(max: string): string;
  minLength(count: number): string;
  maxLength(count: number): string;
  pattern(pattern: string): string;
  email(example: string): string;
  tel(example: string): string;
  url: string;
  date(example: string): string;
  time(example: string): string;
  datetime(example: string): string;
  rateUpTo(max: number): string;
  /** The options, or the first of them. */
  oneOf(options: string): string;
  minSelections(count: number): string;
  maxSelections(count: number): string;
  onlyOnce: string;
  file: string;
  maxFiles(count: number): string;
  accept(types: string): string;
  maxSize(megabytes: number): string;
  anyPlain: string;
  /** A whole sentence: all values together are too large. */
  tooMuch: string;
}

/** Puts elements into a sentence, in the order that the language needs. */
export const filled = (sentence: (...places: string[]) => string, ...elements: ComponentChild[]): ComponentChild[] =>
  sentence(...elements.map((_, index) => `\0${index}\0`))
    .split('\0')
    .map((part, index) => (index % 2 === 0 ? part : elements[Number(part)]));
