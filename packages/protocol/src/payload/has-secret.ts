/** Whether a payload may hold a secret. Drafts keep none, and a payload has no place for them but among the rest. */
export const hasSecret = (payloadSchema: unknown): boolean =>
  /"format":"password"|"writeOnly":true/.test(JSON.stringify(payloadSchema) ?? '');
