/** The stack of what waits. Two weights and few sizes in all: each is a face that the browser finds and measures before the first picture. */
export const stack = `
/* On a ground of its own, because a page that is always light may be read by somebody who has it dark. */
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
/* A header of which nothing is seen takes no room. */
.stack-item .prompt:has(> .title:only-child) { display: contents; }
.chevron { flex: none; width: 16px; height: 16px; fill: none; stroke: currentcolor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
/* A lost answer keeps the stack. Nothing is pending then, but it is not empty either. */
.stack:has(.outcome) ~ slot[name="empty"] { display: none; }
.chevron.open { rotate: 90deg; }
:host([dir="rtl"]) .chevron:not(.open) { scale: -1 1; }
@media (max-width: 420px) { .stack-head, .stack-title { padding-inline: var(--_gap); } }
`;
