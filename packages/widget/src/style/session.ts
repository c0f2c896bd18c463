/** Style rules of a visitor's conversation. It has no button to decline, because the blocks dialect has no call for it. */
export const session = `
.decline { display: none; }
.session-title { padding: 12px 16px; border-bottom: 1px solid var(--_line); font-size: 1rem; font-weight: 600; overflow-wrap: anywhere; }
.quick { display: flex; flex-wrap: wrap; gap: 8px; padding: 0 12px 12px; }
.quick .problem { flex-basis: 100%; }
.quick .button { max-width: 100%; overflow-wrap: anywhere; text-align: start; }
`;
