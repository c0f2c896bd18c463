/** In every element from the start. Filled with the first form, which changes all elements at once. */
export const fieldSheet = new CSSStyleSheet();
/** Like `fieldSheet`, filled with the first Markdown. */
export const markdownSheet = new CSSStyleSheet();
