/** In every element from the start, and filled when the first form has come: a sheet that changes changes wherever it is used. */
export const fieldSheet = new CSSStyleSheet();
/** The same as `fieldSheet`, filled with the first Markdown. */
export const markdownSheet = new CSSStyleSheet();
