/** Style rules of the controls of a form, fetched with the form. */
export const fields = `
.calendar { max-width: 18em; }
.joined { display: flex; gap: 6px; align-items: stretch; }
.joined .control { flex: 1; min-width: 0; }

.option { border-radius: calc(var(--_radius) * .5); padding-inline: 8px; margin-inline: -8px; }
.option-text { display: flex; flex-direction: column; min-width: 0; overflow-wrap: anywhere; }
.option-scroll { max-height: 17em; overflow: auto; border: 1px solid var(--_line); border-radius: calc(var(--_radius) * .7); padding: 4px 14px; }
.filter { margin-bottom: 8px; }

.segments { display: inline-flex; flex-wrap: wrap; gap: 8px; }
.segment { position: relative; }
.segment input, .star input, .pick-file input { position: absolute; inset: 0; width: 100%; height: 100%; margin: 0; opacity: 0; cursor: pointer; }
.segment span {
  display: inline-flex; align-items: center; justify-content: center; min-height: 44px; min-width: 72px; padding: 8px 16px;
  border: 1px solid var(--_control-line); border-radius: calc(var(--_radius) * .7); font-weight: 400;
}
.segment input:checked + span { background: var(--_accent); border-color: var(--_accent); color: var(--_on-accent); }
.segment input:focus-visible + span, .pick-file:has(input:focus-visible) .button { outline: 3px solid var(--_accent); outline-offset: 2px; }

.rating { display: flex; flex-wrap: wrap; align-items: center; }
.star { position: relative; width: 44px; height: 44px; padding: 6px; }
.star svg { display: block; fill: transparent; stroke: var(--_control-line); stroke-width: 1.5; stroke-linejoin: round; }
.star.lit svg { fill: light-dark(#e79a00, #ffc24b); stroke: light-dark(#9a6500, #ffc24b); }
.star:has(input:focus-visible) { outline: 3px solid var(--_accent); outline-offset: -2px; border-radius: 8px; }

.drop { border: 1.5px dashed var(--_control-line); border-radius: var(--_radius); padding: 14px; }
.drop.over { border-color: var(--_accent); background: var(--_raised); }
.pick-file { position: relative; display: block; cursor: pointer; }
.files { list-style: none; }
.files li { display: flex; flex-wrap: wrap; align-items: center; gap: 4px 10px; padding-top: 10px; }
.file-name { overflow-wrap: anywhere; font-weight: 400; }
.files progress { flex: 1; min-width: 90px; accent-color: var(--_accent); }
.failed [role="alert"] { color: var(--_danger); }
.preview { height: 48px; max-width: 96px; object-fit: contain; border-radius: 6px; border: 1px solid var(--_line); }
.pad {
  display: block; max-width: 100%; height: auto; margin-top: 10px; touch-action: none; cursor: crosshair;
  border: 1px solid var(--_control-line); border-radius: calc(var(--_radius) * .7); background: #fff;
}
.pad.still { cursor: default; }
.signature > .control { margin-top: 8px; }

@media (forced-colors: active) {
  .segment span { background: ButtonFace; color: ButtonText; }
  .segment input:checked + span { border-width: 3px; }
  .star.lit svg { fill: Highlight; stroke: Highlight; }
}
`;
