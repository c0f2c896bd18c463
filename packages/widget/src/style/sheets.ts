/** The style sheets of the elements. Elements with the same rules share one sheet. */
const sheets = new Map<string, CSSStyleSheet>();

export function sheetOf(rules: string): CSSStyleSheet {
  let sheet = sheets.get(rules);
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    sheets.set(rules, sheet);
  }
  return sheet;
}

/** Adds rules to an element that fetched them later. */
export function addRules(root: Node | null | undefined, rules: string): void {
  const { adoptedStyleSheets } = root as ShadowRoot;
  const sheet = sheetOf(rules);
  if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet);
}

/** In every element from the start. Filled with the first form, which changes all elements at once. */
export const fieldSheet = new CSSStyleSheet();
/** Like `fieldSheet`, filled with the first Markdown. */
export const markdownSheet = new CSSStyleSheet();
