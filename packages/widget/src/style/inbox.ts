/** Style rules of the inbox. */
export const inbox = `
.inbox { display: flex; flex-direction: column; gap: 12px; padding: 12px; border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_raised); }
.inbox-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.inbox-bar input { flex: 1 1 14em; width: auto; }
.inbox-bar select { flex: 0 1 11em; width: auto; }
.inbox-head { min-height: 44px; display: flex; justify-content: space-between; align-items: center; gap: 8px; padding-inline: 10px 12px; }
.inbox-head .tick { padding-inline: 2px; }
.inbox .stack-item { content-visibility: auto; contain-intrinsic-size: auto 66px; }
.inbox-title { padding-inline: 12px; }
.inbox-title:focus-visible { outline-offset: -3px; }
@media (max-width: 420px) {
  .inbox-title { flex-wrap: wrap; }
  .inbox-title .stack-name { flex-basis: 100%; }
}
.inbox-end { height: 1px; }
.inbox-keys { text-align: center; }
@media (hover: none) { .inbox-keys { display: none; } }
.inbox-line { display: flex; align-items: stretch; }
.inbox-pick { display: flex; align-items: center; justify-content: center; min-width: 44px; cursor: pointer; }
.inbox-pick input { width: 20px; height: 20px; margin: 0; accent-color: var(--_accent); }
.inbox-line:not(:has(.inbox-pick)) { padding-inline-start: 44px; }
.stack-item:has(.inbox-pick input:checked) { border-color: var(--_accent); }
.inbox-about { display: block; }
.bulk { position: sticky; inset-block-start: 0; z-index: 1; padding: 12px 16px; border: 1px solid var(--_accent); border-radius: var(--_radius); background: var(--_surface); display: flex; flex-direction: column; gap: 8px; }
.bulk > .button { align-self: start; border-color: var(--_accent); background: var(--_accent); color: var(--_on-accent); }
.bulk-failed { display: flex; flex-direction: column; align-items: start; gap: 8px; }
.bulk-failed .state { border: 0; padding: 0; background: none; font-size: .9rem; }
.bulk h3 { font-size: 1rem; }
.bulk ul { padding-inline-start: 1.3em; margin-block: 6px 10px; max-height: 12em; overflow: auto; }
`;
