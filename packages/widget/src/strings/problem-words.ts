/** What a language says of values that do not fit: each but the last is the rest of a sentence that begins with the label. */
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
  /** Without `from` the steps begin at nothing. */
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
  /** The options, or as many of them as a sentence bears. */
  oneOf(options: string): string;
  minSelections(count: number): string;
  maxSelections(count: number): string;
  onlyOnce: string;
  file: string;
  maxFiles(count: number): string;
  accept(types: string): string;
  maxSize(megabytes: number): string;
  anyPlain: string;
  /** A whole sentence: all values together take more than is taken. */
  tooMuch: string;
}
