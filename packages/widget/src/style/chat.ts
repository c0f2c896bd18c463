/** Style rules of the conversation. */
export const chat = `
:host { height: var(--hp-height, 640px); max-height: 100%; }
.chat {
  display: flex; flex-direction: column; height: 100%; overflow: hidden;
  border: 1px solid var(--_line); border-radius: var(--_radius); background: var(--_surface);
}
.transcript-frame { position: relative; flex: 1 1 0; min-height: 96px; }
.transcript { position: absolute; inset: 0; overflow: auto; padding: 16px; display: flex; flex-direction: column; gap: 12px; overscroll-behavior: contain; }
.transcript:focus-visible { outline-offset: -3px; }
.transcript > :first-child { margin-top: auto; }
.message { max-width: min(88%, 44em); display: flex; flex-direction: column; gap: 6px; padding: 10px 14px; border-radius: var(--_radius); background: var(--_raised); overflow-wrap: anywhere; align-self: flex-start; }
.message.user { align-self: flex-end; background: color-mix(in oklab, var(--_accent) 16%, var(--_surface)); }
.message.system { align-self: center; background: none; color: var(--_muted); font-size: .9rem; text-align: center; }
.message:not(:has(> :not(.hint, .visually-hidden))) { display: none; }
.message .hint { font-size: .75rem; }
.to-end { position: absolute; inset-inline: 0; bottom: 8px; width: max-content; margin-inline: auto; background: var(--_surface); }
.stack { flex: 0 1 auto; max-height: 62%; overflow: auto; padding: 8px 12px; border-width: 1px 0 0; border-radius: 0; scroll-padding-block: 24px; }
.away { padding: 4px 16px 10px; }
.composer { display: flex; flex-wrap: wrap; gap: 8px; padding: 12px; border-top: 1px solid var(--_line); }
.composer .control { flex: 1 1 10em; min-height: 44px; max-height: 9em; field-sizing: content; resize: none; }
.composer .problem { flex-basis: 100%; }
.dots { display: inline-block; width: 28px; height: 8px; background: radial-gradient(circle 3px, var(--_muted) 98%, transparent) 0 0 / 10px 8px; }
@media (prefers-reduced-motion: no-preference) { .dots { animation: breathe 1.2s infinite; } }
@keyframes breathe { 50% { opacity: .25; } }
`;
