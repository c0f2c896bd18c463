/** The inbox. */
export const inbox = `
.inbox { display: flex; flex-direction: column; gap: 12px; }
.inbox-bar { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.inbox-bar input { flex: 1 1 14em; width: auto; }
.inbox-bar select { flex: 0 1 11em; width: auto; }
.inbox-line { display: flex; align-items: stretch; }
.inbox-pick { display: flex; align-items: center; justify-content: center; min-width: 44px; cursor: pointer; }
.inbox-pick input { width: 20px; height: 20px; margin: 0; accent-color: var(--_accent); }
.inbox-line:not(:has(.inbox-pick)) { padding-inline-start: 44px; }
.stack-item:has(.inbox-pick input:checked) { border-color: var(--_accent); }
.inbox-about { display: block; }
.bulk { position: sticky; inset-block-start: 0; z-index: 1; padding: 12px 16px; border: 1px solid var(--_accent); border-radius: var(--_radius); background: var(--_surface); display: flex; flex-direction: column; gap: 8px; }
.bulk > .button { align-self: start; border-color: var(--_accent); background: var(--_accent); color: var(--_on-accent); }
.bulk h3 { font-size: 1rem; }
.bulk ul { padding-inline-start: 1.3em; margin-block: 6px 10px; max-height: 12em; overflow: auto; }
`;
