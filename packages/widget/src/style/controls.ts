/** Style rules of buttons and inputs, also outside of a form. */
export const controls = `
.control {
  display: block; width: 100%; min-height: 44px; padding: 9px 12px;
  border: 1px solid var(--_control-line); border-radius: calc(var(--_radius) * .7);
  background: var(--_surface); color: var(--_text);
}
textarea.control { resize: vertical; min-height: 88px; line-height: 1.45; }
.control::placeholder { color: var(--_muted); opacity: 1; }
.control:hover { border-color: var(--_text); }
.control:focus-visible { outline-offset: 0; border-color: var(--_accent); }
.invalid .control { border-color: var(--_danger); border-width: 2px; padding: 8px 11px; }
select.control {
  appearance: none; padding-inline-end: 40px;
  background: linear-gradient(45deg, transparent 50%, currentcolor 50%) calc(100% - 20px) 55% / 6px 6px no-repeat, linear-gradient(135deg, currentcolor 50%, transparent 50%) calc(100% - 14px) 55% / 6px 6px no-repeat, var(--_surface);
}
:host([dir="rtl"]) select.control { background-position: 14px 55%, 20px 55%; }

.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; padding: 8px 18px;
  border: 1px solid var(--_control-line); border-radius: calc(var(--_radius) * .7);
  background: var(--_surface); color: var(--_text); font-weight: 600; text-decoration: none; cursor: pointer;
  overflow-wrap: anywhere;
}
.button:hover { background: var(--_raised); }
.button.primary { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
.button.primary:hover { background: color-mix(in oklab, var(--_accent), var(--_text) 14%); }
.button.danger { border-color: var(--_danger); color: var(--_danger); }
.button.danger:hover { background: var(--_danger-soft); }
.button .hint { color: inherit; opacity: .85; }
.button .badge { margin-inline-start: 8px; color: inherit; background: none; box-shadow: inset 0 0 0 1px color-mix(in oklab, currentcolor 55%, transparent); }
.button[aria-disabled] { opacity: .62; cursor: progress; }
.quiet {
  min-height: 44px; padding: 8px 12px; border: 0; border-radius: calc(var(--_radius) * .7); background: none;
  color: var(--_muted); font-weight: 400; cursor: pointer; text-decoration: underline; text-underline-offset: 3px;
  text-decoration-color: transparent;
}
.quiet:hover { color: var(--_text); text-decoration-color: currentcolor; }

.tick, .option { display: flex; gap: 10px; align-items: flex-start; padding: 9px 4px; min-height: 44px; cursor: pointer; }
.tick input, .option input { flex: none; width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--_accent); }
.option:hover, .tick:hover { background: var(--_raised); }
.placeholder { min-height: 44px; }

@media (forced-colors: active) {
  .button { background: ButtonFace; color: ButtonText; }
  .button.primary { border-width: 3px; }
}
`;
