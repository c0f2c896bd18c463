/** Style rules of the form of a JSON Schema, fetched with the form. */
export const payload = `
.payload, .parts { display: flex; flex-direction: column; gap: var(--_gap); }
.group { padding: 12px 16px 16px; border: 1px solid var(--_line); border-radius: calc(var(--_radius) * .7); }
.group.invalid { border-color: var(--_danger); border-inline-start-width: 3px; }
.group > legend { margin-bottom: -4px; }
.group .group { background: var(--_raised); }
.group > .quiet { align-self: start; margin: -8px 0 -8px -12px; }
.item { display: flex; flex-wrap: wrap; align-items: end; gap: 4px 8px; }
.item > :first-child { flex: 1 1 16em; min-width: 0; }
.item > :first-child:not(.row) { flex-basis: 100%; }
.item > .quiet { margin-inline-start: auto; }
.add { align-self: start; }
.add::before { content: "+" / ""; margin-inline-end: 8px; font-weight: 400; }
.row > .add { width: max-content; max-width: 100%; }
.as-json { align-self: start; margin-inline-start: -12px; font-size: .9rem; }
.json { font: .9rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.parts:focus:not(:focus-visible) { outline: 0; }
`;
