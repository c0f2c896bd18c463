/** The stylesheet of the reference: system fonts, light and dark. */
import { hash } from 'node:crypto';

export const docsStyle = `
:root {
  color-scheme: light dark;
  --bg: #ffffff; --panel: #f6f7f9; --ink: #1b1f24; --soft: #545d68; --line: #e1e5ea; --accent: #2f56d9;
  --key: #7a3e00; --str: #0a6640; --num: #0b54a0; --warn: #8f3a00;
  --get: #0b54a0; --get-bg: #e7f0fb; --post: #0b6b4f; --post-bg: #e4f3ec; --patch: #85480a; --patch-bg: #fcf0df;
  --delete: #a3252b; --delete-bg: #fdeaea;
  --mark: #fff6d6;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #111418; --panel: #191e24; --ink: #e4e7eb; --soft: #9ba6b2; --line: #2a313a; --accent: #8fa8ff;
    --key: #e8b273; --str: #7fd6a8; --num: #8dbdf5; --warn: #f0a875;
    --get: #9cc6f7; --get-bg: #16293f; --post: #7fdcb6; --post-bg: #12332a; --patch: #efc285; --patch-bg: #3a2a13;
    --delete: #f4a6a6; --delete-bg: #3d1a1c;
    --mark: #2e2a17;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 1rem/1.6 var(--sans); overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 0; text-wrap: balance; }
p { margin: .5rem 0; max-width: 68ch; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .2em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
code, pre { font-family: var(--mono); font-size: .875em; }
p code, td code, li code { overflow-wrap: anywhere; }
:not(pre) > code { font-variant-ligatures: none; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 2; background: var(--bg); padding: .5rem 1rem; }

main { padding: 1.5rem 1rem 4rem; min-width: 0; }
.intro { padding-bottom: 1rem; }
.intro h1 { font-size: 2rem; letter-spacing: -.02em; }
.intro h1 span { color: var(--soft); font-weight: 400; }
.lead { font-size: 1.2rem; line-height: 1.5; max-width: 44ch; margin: .75rem 0 1rem; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; color: var(--soft); font-size: .9rem; }

main > section { border-top: 1px solid var(--line); margin-top: 3rem; padding-top: 2.5rem; }
main > section > h2 { font-size: 1.5rem; letter-spacing: -.01em; margin-bottom: .75rem; }
.guide h3 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.guide > table, .guide > figure, .steps { max-width: 54rem; }
.steps { list-style: none; margin: 1.5rem 0 0; padding: 0; counter-reset: step; }
.steps > li { counter-increment: step; position: relative; padding: 0 0 1.25rem 2.75rem; }
.steps > li::before {
  content: counter(step); position: absolute; left: 0; top: -.15rem; width: 1.75rem; height: 1.75rem; border-radius: 50%;
  border: 1.5px solid var(--accent); color: var(--accent); font-weight: 600; font-size: .9rem; line-height: 1.6rem; text-align: center;
}
.steps > li:not(:last-child)::after { content: ""; position: absolute; left: .85rem; top: 2rem; bottom: .5rem; border-left: 1px solid var(--line); }
.steps h3 { margin: 0; }
.steps p { margin: .3rem 0 .5rem; color: var(--soft); }
.cards { display: grid; gap: 1.5rem 2rem; margin: 1.25rem 0; }
.cards article { min-width: 0; }
.cards h3 { margin-top: 0; }

.code { margin: .75rem 0; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); overflow: hidden; }
.code figcaption { font-size: .75rem; color: var(--soft); padding: .35rem .85rem; border-bottom: 1px solid var(--line); }
.code summary { font-size: .75rem; color: var(--soft); padding: .35rem .85rem; cursor: pointer; min-height: 24px; }
.code[open] summary { border-bottom: 1px solid var(--line); }
.code pre { margin: 0; padding: .75rem .85rem; overflow: auto; line-height: 1.5; font-size: .8rem; }
.op-example .code:last-child pre { max-height: 30rem; }
.code pre code { font-size: inherit; }
.code pre:focus-visible { outline-offset: -3px; border-radius: 8px; }
.key { color: var(--key); } .str { color: var(--str); } .num { color: var(--num); }

.op { padding: 2rem 0 1rem; }
.op + .op { border-top: 1px solid var(--line); }
.op h3, .shape h3 { font-size: 1.2rem; }
.op h3 a, .shape h3 a, .side h2 a { color: inherit; text-decoration: none; }
.op h3 a:hover, .shape h3 a:hover { text-decoration: underline; }
.op h4 { font-size: .8rem; color: var(--soft); margin: 1.5rem 0 .25rem; font-weight: 600; }
.op-text, .op-example { min-width: 0; }
.route { margin: .5rem 0 .75rem; line-height: 1.7; }
.route code { font-size: .9rem; }
.hole { color: var(--key); }
.method { font: 600 .7rem/1 var(--mono); letter-spacing: .03em; padding: .25em .45em; border-radius: 4px; display: inline-block; }
.get { color: var(--get); background: var(--get-bg); }
.post { color: var(--post); background: var(--post-bg); }
.patch { color: var(--patch); background: var(--patch-bg); }
.delete { color: var(--delete); background: var(--delete-bg); }
.status { font: 500 .75rem/1 var(--mono); color: var(--soft); }

.props { list-style: none; margin: 0; padding: 0; max-width: 46rem; }
.props > li { padding: .5rem 0; border-top: 1px solid var(--line); }
.props > li:first-child { border-top: 0; }
.props .props { margin: .35rem 0 0 .25rem; padding-left: .9rem; border-left: 2px solid var(--line); }
.props .props > li { padding: .3rem 0; border-top: 0; }
.prop { margin: 0; line-height: 1.5; }
.name { font-weight: 600; }
.type { font: .8125rem var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.lit { color: var(--str); }
.must { font-size: .75rem; color: var(--warn); white-space: nowrap; }
.note { margin: .1rem 0 0; font-size: .9rem; color: var(--ink); }
.bounds { color: var(--soft); font-size: .85rem; font-weight: 400; }
.branch + .branch { border-top: 1px dashed var(--line); }
.types { margin: 1.75rem 0 .25rem; font-size: .95rem; display: flex; flex-wrap: wrap; gap: .25rem .75rem; }
.types code { font-weight: 600; font-size: .9rem; }
.shape { padding: 1.75rem 0 .5rem; max-width: 46rem; }
.guide .shape h3 { margin: 0 0 .25rem; }

table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .92rem; }
th { text-align: left; font-size: .8rem; color: var(--soft); font-weight: 600; padding: .4rem 1rem .4rem 0; border-bottom: 1px solid var(--line); }
td { vertical-align: top; padding: .6rem 1rem .6rem 0; border-bottom: 1px solid var(--line); }
td:last-child, th:last-child { padding-right: 0; }
td b { font-weight: 600; }
.errors td:first-child { width: 15.5rem; }
.errors td .status, .errors td .must { display: inline-block; margin: .35rem .6rem 0 0; }
.errors td > a { display: block; }
tr:target > td { background: var(--mark); }
tr:target > td:first-child { box-shadow: -.75rem 0 var(--mark); }
.op:target h3, .shape:target h3 { text-decoration: underline; text-decoration-color: var(--accent); text-underline-offset: .25em; }

.side { padding: .75rem 1rem; border-bottom: 1px solid var(--line); font-size: .9rem; }
.brand { display: inline-flex; align-items: center; gap: .5rem; font-weight: 650; color: var(--ink); text-decoration: none; }
.brand img { display: block; }
.search { display: block; width: 100%; margin: .75rem 0 .5rem; padding: .45rem .7rem; min-height: 2.25rem; border: 1px solid var(--soft); border-radius: 8px; background: var(--bg); color: var(--ink); font: inherit; }
.search:focus-visible { outline-offset: 0; border-radius: 8px; }
.found { margin: 0; color: var(--soft); font-size: .8rem; }
.side .results li a { display: block; padding: .35rem 0; color: var(--ink); }
.results small { display: block; color: var(--soft); font-size: .8rem; overflow-wrap: anywhere; }
.side h2 { font-size: .8rem; margin: 1.25rem 0 .25rem; }
.side ul { list-style: none; margin: .25rem 0; padding: 0; }
.side li a { display: flex; gap: .5rem; align-items: baseline; color: var(--soft); text-decoration: none; padding: .2rem 0; line-height: 1.35; }
.side .columns { columns: 2; column-gap: .5rem; }
.side li a:hover { color: var(--ink); text-decoration: underline; }
.side .method { font-size: .58rem; width: 4em; text-align: center; padding: .3em 0; flex: none; }
.side .wide { display: none; }
.side summary { cursor: pointer; color: var(--soft); margin-top: .35rem; }

@media (max-width: 44rem) {
  .stack, .stack tbody, .stack tr, .stack td { display: block; width: auto !important; }
  .stack thead { position: absolute; left: -999rem; }
  .stack tr { border-bottom: 1px solid var(--line); padding: .6rem 0; }
  .stack td { border: 0; padding: .1rem 0; }
  .steps > li { padding-left: 0; }
  .steps h3 { padding-left: 2.5rem; }
  .steps > li:not(:last-child)::after { display: none; }
}
@media (min-width: 44rem) {
  main { padding: 2.5rem 2.5rem 6rem; }
  .cards { grid-template-columns: 1fr 1fr; }
  .intro h1 { font-size: 2.5rem; }
  table:not(.errors) td code { white-space: nowrap; }
}
@media (min-width: 64rem) {
  body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); max-width: 96rem; margin: 0 auto; }
  .side { position: sticky; top: 0; height: 100vh; overflow-y: auto; border: 0; border-right: 1px solid var(--line); padding: 1.5rem 1rem 3rem 1.5rem; scrollbar-width: thin; }
  .side .narrow { display: none; }
  .side .wide { display: block; }
}
@media (min-width: 78rem) {
  .op { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 29rem); gap: 0 2.5rem; }
  .op-example { position: sticky; top: 1.5rem; align-self: start; padding-top: .25rem; }
  .op-example .code:first-child { margin-top: 0; }
}
@media (forced-colors: active) { .method, .steps > li::before { border: 1px solid; } }
@media print {
  .side, .skip { display: none; }
  html { font-size: 10pt; }
  body { display: block; }
  main { padding: 0; }
  .code pre { max-height: none; white-space: pre-wrap; overflow: visible; }
  .op, .shape, tr, .code { break-inside: avoid-page; }
  h2, h3, h4 { break-after: avoid; }
  a { color: inherit; }
}
`;

export const styleFile = '/docs.css';

/** The version keeps a browser from dressing a new page in an old stylesheet. */
export const stylePath = `${styleFile}?v=${hash('sha256', docsStyle, 'hex').slice(0, 10)}`;
