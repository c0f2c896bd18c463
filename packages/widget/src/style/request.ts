/** Style rules of a question and of the stack of pending questions. */

export const request = `
.card {
  display: flex; flex-direction: column; gap: var(--_gap); padding: calc(var(--_gap) * 1.25);
  border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface);
  overflow-wrap: anywhere; scroll-padding-block: 80px;
}
.prompt { display: flex; flex-direction: column; gap: 8px; }
.title { font-size: 1.15rem; line-height: 1.35; font-weight: 600; text-wrap: balance; }
.time-left { display: flex; flex-wrap: wrap; align-items: center; gap: 0 6px; color: var(--_muted); font-size: .9rem; font-weight: 400; }
.time-left::before {
  content: ""; box-sizing: border-box; flex: none; width: 14px; height: 14px; border: 1.5px solid; border-radius: 50%;
  background: linear-gradient(currentcolor 0 0) 50% 2px / 1.5px 4.5px no-repeat, linear-gradient(currentcolor 0 0) 7px 5px / 3px 1.5px no-repeat;
}
.time-left .hint::before { content: "· "; }
.time-left.soon, .time-left.over { color: var(--_warn); font-weight: 600; }
.heading { font-size: 1rem; font-weight: 600; padding-top: 4px; }
.paragraph, .plain { white-space: pre-line; }
.paragraph { color: var(--_muted); }
hr { width: 100%; border: 0; border-top: 1px solid var(--_line); margin: 0; }
.row { display: flex; flex-direction: column; gap: 6px; }
/* Rows of a long form that are out of sight are not laid out. The margin leaves room for the focus ring. */
.card > .row:nth-of-type(n + 24) { content-visibility: auto; contain-intrinsic-size: auto 76px; overflow-clip-margin: 6px; }
.label, legend { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 6px; font-weight: 600; padding: 0; }
/* A floated legend is laid out like any other child, and not across the border of its fieldset. */
legend { float: inline-start; width: 100%; }
mark { margin: 0 2px; padding: 1px 4px; border-radius: 4px; background: light-dark(#ffe9b0, #5a4300); color: light-dark(#5c3a00, #ffe6b0); font: 600 .75em ui-monospace, monospace; white-space: nowrap; }
.hint { color: var(--_muted); font-size: .9rem; font-weight: 400; }
.badge {
  display: inline-block; padding: 1px 8px; border-radius: 99px; font-size: .75rem; font-weight: 600;
  background: color-mix(in oklab, var(--_accent) 14%, transparent); color: var(--_text); vertical-align: 1px;
}
.problem { color: var(--_danger); font-weight: 600; font-size: .9rem; }
.row.invalid { border-inline-start: 3px solid var(--_danger); padding-inline-start: 12px; }
.changed { border-inline-start: 3px solid var(--_warn); padding-inline-start: 12px; font-weight: 600; }
.summary { border: 2px solid var(--_danger); border-radius: calc(var(--_radius) * .7); background: var(--_danger-soft); padding: 12px 16px; }
.summary h3 { font-size: 1rem; margin-bottom: 4px; }
.summary ul { list-style: none; }
.summary a { display: inline-block; padding: 4px 0; min-height: 24px; color: var(--_danger); font-weight: 600; }
.actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.picks { display: flex; flex-wrap: wrap; gap: 8px; }
.picks .button { justify-content: start; text-align: start; }
.decline { margin-inline-start: auto; }
.declining { display: flex; flex-direction: column; gap: 8px; border-top: 1px solid var(--_line); padding-top: var(--_gap); }
.value { display: block; white-space: pre-wrap; }
:host([dir="rtl"]) :is(.value, .title, .markdown, .plain, .hint, dt) { text-align: right; }
.more { display: block; padding-inline: 0; text-decoration-color: currentcolor; }
.state strong { color: var(--_text); }
.state > strong, .decided > strong, .outcome .arguments strong { display: block; }
.decided { margin-top: 4px; font-weight: 400; }
/* Keeps the focus ring away from the text. */
.changed:focus-visible { outline-offset: 6px; }
.decided-by { display: flex; flex-wrap: wrap; }
.decided-by bdi + time::before { content: "·"; padding-inline: 6px; }
pre { overflow: auto; font: .85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; }
.picture { max-width: 100%; height: auto; border-radius: calc(var(--_radius) * .7); display: block; }
.block-card { display: flex; flex-direction: column; gap: 8px; border: 1px solid var(--_line); border-radius: var(--_radius); padding: 14px; }
.block-card h3 { font-size: 1rem; }
.state { padding: calc(var(--_gap) * 1.25); border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); color: var(--_muted); }
a { color: var(--_accent); }
@media (max-width: 420px) {
  .card { padding: var(--_gap); }
  .picks, .picks .button, .actions > .primary { width: 100%; }
}
`;

export const stack = `
/* Has its own background, because a page may be light while the person uses dark colours. */
.stack { display: flex; flex-direction: column; gap: 8px; padding: 8px 12px 12px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_raised); }
.stack-head, .stack-title {
  display: flex; align-items: center; gap: 8px; width: 100%; min-height: 44px; padding: 8px calc(var(--_gap) * 1.25); border: 0;
  background: none; font-weight: 600; text-align: start; cursor: pointer; border-radius: calc(var(--_radius) * .7);
}
.stack-head:hover, .stack-title:hover { background: color-mix(in oklab, var(--_text) 6%, transparent); }
.stack-head { color: var(--_muted); font-size: .9rem; font-weight: 400; }
.stack-title.closed { margin: 0; color: var(--_muted); font-weight: 400; cursor: default; background: none; overflow-wrap: anywhere; }
.stack-item .state { border: 0; padding-top: 0; background: none; }
.stack-name { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.stack-title .time-left { flex: none; }
.stack-list { list-style: none; display: flex; flex-direction: column; gap: 8px; }
.stack-item { border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface); box-shadow: 0 1px 3px rgb(0 0 0 / 8%); }
.stack-item .card { border: 0; padding-top: 8px; background: none; }
.stack-item .prompt .title { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; font: inherit; }
/* A header with a hidden title alone takes no room. */
.stack-item .prompt:has(> .title:only-child) { display: contents; }
.chevron { flex: none; width: 16px; height: 16px; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
/* A lost answer keeps the stack, so the text for an empty stack is hidden. */
.stack:has(.outcome) ~ slot[name="empty"] { display: none; }
.chevron.open { rotate: 90deg; }
:host([dir="rtl"]) .chevron:not(.open) { scale: -1 1; }
@media (max-width: 420px) { .stack-head, .stack-title { padding-inline: var(--_gap); } }
`;
