/** Style rules of the confirmation of a dangerous option, fetched with the first approval. */
export const danger = `
.confirm {
  width: min(26rem, calc(100vw - 32px)); padding: 20px; border: 1px solid var(--_danger); border-radius: var(--_radius);
  background: var(--_surface); color: var(--_text); overflow-wrap: anywhere; box-shadow: 0 12px 40px rgb(0 0 0 / 30%);
}
.confirm[open] { display: flex; flex-direction: column; gap: 12px; }
.confirm::backdrop { background: rgb(10 12 20 / 50%); }
.confirm h3 { font-size: 1.1rem; line-height: 1.35; }
.confirm .danger { background: var(--_danger); color: var(--_on-danger); }
.confirm .danger:hover { background: color-mix(in oklab, var(--_danger), var(--_text) 14%); }
@media (forced-colors: active) { .confirm .danger { border-width: 3px; } }
`;
