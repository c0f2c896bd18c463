/** The cursor before the first event of any log. */
export const logStart = '0'.padStart(16, '0');
