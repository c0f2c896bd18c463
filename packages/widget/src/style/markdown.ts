/** Styles for Markdown, fetched with the lexer. */
export const markdown = `
code { font: .9em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--_raised); border-radius: 4px; padding: 1px 4px; }
pre code { background: none; padding: 0; font-size: 1em; }
.markdown { display: flex; flex-direction: column; gap: 10px; }
.markdown pre { background: var(--_raised); border-radius: calc(var(--_radius) * .7); padding: 10px 14px; }
.markdown ul, .markdown ol { padding-inline-start: 1.5em; }
.markdown blockquote { border-inline-start: 3px solid var(--_line); padding-inline-start: 12px; color: var(--_muted); }
.md-heading { font-weight: 600; }
.table-scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .95rem; }
th, td { border: 1px solid var(--_line); padding: 5px 10px; text-align: start; }
`;
