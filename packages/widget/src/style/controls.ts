/** Controls: what a person types in, picks and presses. */
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
.calendar { max-width: 18em; }
select.control {
  appearance: none; padding-inline-end: 40px;
  background: linear-gradient(45deg, transparent 50%, currentcolor 50%) calc(100% - 20px) 55% / 6px 6px no-repeat, linear-gradient(135deg, currentcolor 50%, transparent 50%) calc(100% - 14px) 55% / 6px 6px no-repeat, var(--_surface);
}
:host([dir="rtl"]) select.control { background-position: 14px 55%, 20px 55%; }
.joined { display: flex; gap: 6px; align-items: stretch; }
.joined .control { flex: 1; min-width: 0; }

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
.button .badge { margin-inline-start: 8px; color: inherit; background: color-mix(in oklab, currentcolor 18%, transparent); }
.button[aria-disabled] { opacity: .62; cursor: progress; }
.quiet {
  min-height: 44px; padding: 8px 12px; border: 0; border-radius: calc(var(--_radius) * .7); background: none;
  color: var(--_muted); font-weight: 500; cursor: pointer; text-decoration: underline; text-underline-offset: 3px;
  text-decoration-color: transparent;
}
.quiet:hover { color: var(--_text); text-decoration-color: currentcolor; }

.tick, .option { display: flex; gap: 10px; align-items: flex-start; padding: 9px 4px; min-height: 44px; cursor: pointer; }
.tick input, .option input { flex: none; width: 20px; height: 20px; margin: 2px 0 0; accent-color: var(--_accent); }
.option { border-radius: calc(var(--_radius) * .5); padding-inline: 8px; margin-inline: -8px; }
.option:hover, .tick:hover { background: var(--_raised); }
.option-text { display: flex; flex-direction: column; min-width: 0; overflow-wrap: anywhere; }
.option-scroll { max-height: 17em; overflow: auto; border: 1px solid var(--_line); border-radius: calc(var(--_radius) * .7); padding: 4px 14px; }
.filter { margin-bottom: 8px; }

.segments { display: inline-flex; flex-wrap: wrap; gap: 8px; }
.segment { position: relative; }
.segment input { position: absolute; inset: 0; opacity: 0; width: 100%; height: 100%; margin: 0; cursor: pointer; }
.segment span {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; min-width: 72px; padding: 8px 16px;
  border: 1px solid var(--_control-line); border-radius: calc(var(--_radius) * .7); font-weight: 500;
}
.segment input:checked + span { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
.segment input:focus-visible + span { outline: 3px solid var(--_accent); outline-offset: 2px; }

.rating { display: flex; flex-wrap: wrap; align-items: center; }
.star { position: relative; width: 44px; height: 44px; padding: 6px; }
.star input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.star svg { display: block; fill: transparent; stroke: var(--_control-line); stroke-width: 1.5; stroke-linejoin: round; }
.star.lit svg { fill: light-dark(#e79a00, #ffc24b); stroke: light-dark(#9a6500, #ffc24b); }
.star:has(input:focus-visible) { outline: 3px solid var(--_accent); outline-offset: -2px; border-radius: 8px; }

.drop { border: 1.5px dashed var(--_control-line); border-radius: var(--_radius); padding: 14px; }
.drop.over { border-color: var(--_accent); background: var(--_raised); }
.pick-file { position: relative; display: block; cursor: pointer; }
.pick-file input { position: absolute; inset: 0; width: 100%; height: 100%; opacity: 0; cursor: pointer; }
.pick-file:has(input:focus-visible) .button { outline: 3px solid var(--_accent); outline-offset: 2px; }
.files { list-style: none; }
.files li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; padding-top: 10px; }
.file-name { overflow-wrap: anywhere; font-weight: 500; }
.files progress { flex: 1; min-width: 90px; accent-color: var(--_accent); }
.failed [role="alert"] { color: var(--_danger); }
.preview { height: 48px; max-width: 96px; object-fit: contain; border-radius: 6px; border: 1px solid var(--_line); }
.pad {
  display: block; max-width: 100%; height: auto; margin-top: 10px; touch-action: none; cursor: crosshair;
  border: 1px solid var(--_control-line); border-radius: calc(var(--_radius) * .7); background: #fff;
}
.pad.still { cursor: default; }
.placeholder { min-height: 44px; }

@media (forced-colors: active) {
  .segment input:checked + span, .button.primary { border-width: 3px; }
  .star.lit svg { fill: Highlight; stroke: Highlight; }
}
`;
