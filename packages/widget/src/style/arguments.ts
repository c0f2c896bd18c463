/** Style rules of the arguments of an action, and of an answer that was not accepted. Fetched with the first of them. */
import { addRules } from './sheets.ts';

const rules = `
.arguments { background: var(--_raised); border-radius: calc(var(--_radius) * .7); padding: 12px 16px; }
.arguments h3 { font-size: .8rem; font-weight: 600; color: var(--_muted); margin-bottom: 6px; }
dl > div { display: flex; flex-wrap: wrap; gap: 2px 16px; padding: 4px 0; }
dt { min-width: 6.5em; color: var(--_muted); }
dd { flex: 1 1 8em; font-weight: 400; min-width: 0; }
dd > dl { border-inline-start: 2px solid var(--_line); padding-inline-start: 10px; }
.always ul { margin: 0; padding-inline-start: 1.2em; }
.always li { padding: 2px 0; }
.always code { padding: 1px 4px; border-radius: 4px; background: color-mix(in oklab, var(--_text) 8%, transparent); font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
`;

/** A `ref` of the section that needs the rules. */
export const withArgumentRules = (section: Element | null): void => {
  if (section) addRules(section.getRootNode(), rules);
};
