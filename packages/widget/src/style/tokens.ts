/**
 * Colours, sizes and fonts. A page sets any of these custom properties on the element or on an element around it.
 *
 * @cssprop --hp-accent - Primary buttons, links, and the focus ring.
 * @cssprop --hp-on-accent - Text on the accent colour.
 * @cssprop --hp-text - Text.
 * @cssprop --hp-muted - Secondary text.
 * @cssprop --hp-surface - The background of questions and controls.
 * @cssprop --hp-raised - The background of raised areas.
 * @cssprop --hp-line - Separators.
 * @cssprop --hp-control-line - Borders of controls. Needs a contrast of 3:1 against the surface.
 * @cssprop --hp-danger - Problems, and buttons that reject.
 * @cssprop --hp-on-danger - Text on buttons that reject.
 * @cssprop --hp-danger-soft - The background of the list of problems.
 * @cssprop --hp-warn - A near deadline.
 * @cssprop --hp-radius - The radius of corners.
 * @cssprop --hp-gap - The space between parts.
 * @cssprop --hp-font - The font family.
 */
export const tokens = `
:host {
  color-scheme: light dark;
  --_accent: var(--hp-accent, light-dark(#2f56d9, #8fa8ff));
  --_on-accent: var(--hp-on-accent, light-dark(#fff, #0d1330));
  --_text: var(--hp-text, light-dark(#1b1d22, #eceef3));
  --_muted: var(--hp-muted, light-dark(#5a6070, #a7aebd));
  --_surface: var(--hp-surface, light-dark(#fff, #17191f));
  --_raised: var(--hp-raised, light-dark(#f5f6f9, #20232b));
  --_line: var(--hp-line, light-dark(#d5d9e2, #383d49));
  --_control-line: var(--hp-control-line, light-dark(#868d9c, #6c7484));
  --_danger: var(--hp-danger, light-dark(#b3261e, #ff9d94));
  --_on-danger: var(--hp-on-danger, light-dark(#fff, #3a0906));
  --_danger-soft: var(--hp-danger-soft, light-dark(#fdeeed, #33191a));
  --_warn: var(--hp-warn, light-dark(#8a5200, #ffc672));
  --_radius: var(--hp-radius, 10px);
  --_gap: var(--hp-gap, 16px);
  --_font: var(--hp-font, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif);
  display: block;
  font: 400 1rem/1.5 var(--_font);
  color: var(--_text);
  text-align: start;
}
:host([hidden]) { display: none; }
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
@media (forced-colors: active) { :host { --_on-accent: ButtonText; } }
* { box-sizing: border-box; }
h2, h3, p, ul, ol, dl, dd, fieldset, legend, pre, blockquote { margin: 0; padding: 0; }
fieldset { border: 0; min-width: 0; }
button, input, select, textarea { font: inherit; color: inherit; }
[hidden] { display: none !important; }
:focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
.visually-hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) {
  .button, .control, .segment, .star svg { transition: background-color .12s, border-color .12s, color .12s, fill .12s; }
}
`;
