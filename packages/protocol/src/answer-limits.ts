/** The bounds that a page needs to check an answer. The other bounds would add 0.7 KB to its scripts. */
export const answerLimits = {
  idLength: 256,
  nameLength: 255,
  filesPerField: 20,
  fileSizeMb: 100,
  textLength: 100_000,
  emailLength: 254,
  urlLength: 2_048,
  valuesBytes: 262_144,
  jsonDepth: 32,
  /** Problems in one response. The last one says that there are more. */
  problems: 200,
} as const;
