/** The style sheet of the pages for everybody, for a phone first and in the colors of the widget. */
import { hash } from 'node:crypto';

export const answerStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f5f6f9, #101217); --card: light-dark(#ffffff, #17191f); --text: light-dark(#1b1d22, #eceef3);
  --muted: light-dark(#5a6070, #a7aebd); --line: light-dark(#dfe2ea, #2c313b); --accent: light-dark(#2f56d9, #8fa8ff);
  --on-accent: light-dark(#ffffff, #0d1330); --good: light-dark(#0b7a53, #6fd8ae); --warn: light-dark(#8a5200, #ffc672);
}
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--page); color: var(--text);
  font: 400 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
h1, p { margin: 0; }
main { flex: 1; width: 100%; max-width: 40rem; margin: 0 auto; padding: 1rem 0 2rem; }
.head { display: flex; align-items: center; gap: .5rem; padding: 0 1rem .75rem; color: var(--muted); font-size: .9375rem; }
.head img { flex: none; }
.head { align-items: flex-start; }
.head h1 { font: inherit; font-weight: 600; color: var(--text); }
.head div { min-width: 0; overflow-wrap: anywhere; }
p.head { align-items: center; }
.notice {
  position: sticky; top: 0; z-index: 1; padding: .625rem 1rem; background: var(--card); border-block: 1px solid var(--line);
  color: var(--warn); font-size: .9375rem;
}
/* The card of the widget is the card of the page: from edge to edge on a phone. */
holdpoint-request::part(card) { border-width: 1px 0; border-color: var(--line); border-radius: 0; padding: 1.25rem 1rem; background: var(--card); }
.state { padding: 3.5rem 1.5rem; text-align: center; }
.state svg { width: 3.5rem; height: 3.5rem; stroke: var(--muted); stroke-width: 1.75; fill: none; stroke-linecap: round; stroke-linejoin: round; }
.state[data-state="sent"] svg, .state[data-state="voted"] svg { stroke: var(--good); }
.state[data-state="unreachable"] svg, .state[data-state="linkOver"] svg, .state[data-state="linkBroken"] svg { stroke: var(--warn); }
.state h1 { margin-top: 1rem; font-size: 1.375rem; line-height: 1.3; letter-spacing: -.01em; text-wrap: balance; outline: none; }
.state p { margin: .5rem auto 0; max-width: 26rem; color: var(--muted); text-wrap: balance; }
.own { max-width: 26rem; margin: 1.5rem auto 0; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: 10px; text-align: start; }
.own h2 { margin: 0 0 .25rem; font-size: .875rem; font-weight: 600; color: var(--muted); }
.own dl { margin: 0; }
.own dl > div { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .125rem 0; }
.own dt { min-width: 6.5rem; color: var(--muted); }
.own dd { flex: 1 1 8rem; min-width: 0; margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font-weight: 550; }
.state .about { margin-top: .25rem; color: var(--text); }
.state button, .state .button {
  display: inline-flex; align-items: center; margin-top: 1.5rem; min-height: 2.75rem; padding: .5rem 1.25rem; border: 0; border-radius: 10px;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
a { color: var(--accent); text-underline-offset: 3px; }
.plain { padding: 3.5rem 1.5rem; text-align: center; color: var(--muted); }
@media (min-width: 42rem) {
  main { padding: 3rem 1rem; }
  .head { padding: 0 .25rem .75rem; }
  .notice { top: .5rem; margin-bottom: .75rem; border: 1px solid var(--line); border-radius: 10px; }
  .state, holdpoint-request::part(card) { background: var(--card); border: 1px solid var(--line); border-radius: 14px; box-shadow: 0 1px 2px rgb(0 0 0 / .04), 0 8px 24px rgb(0 0 0 / .05); }
  holdpoint-request::part(card) { padding: 1.75rem; }
}
@media (forced-colors: active) { .state button, .state .button { border: 1px solid; } .state svg { stroke: CanvasText; } }
`;

export const styleFile = '/answer.css';
/** Contains a hash of the content, so that browsers may cache it. */
export const stylePath = `${styleFile}?v=${hash('sha256', answerStyle, 'hex').slice(0, 10)}`;
