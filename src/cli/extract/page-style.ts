/** Style of the page that shows an extraction. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #f4f5f7; --panel: #fff; --ink: #1c2330; --faint: #5f6b7c; --line: #d9dee6; --mark: #2563eb; --hit: #f59e0b; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #14181f; --panel: #1d232d; --ink: #e6eaf0; --faint: #98a3b3; --line: #323b49; --mark: #6ea8fe; --hit: #fbbf24; }
}
* { box-sizing: border-box; }
body { margin: 0; font: 15px/1.45 system-ui, sans-serif; background: var(--ground); color: var(--ink); }
.split { display: grid; grid-template-columns: minmax(0, 1fr) minmax(300px, 420px); height: 100vh; }
main { overflow: auto; padding: 20px; }
aside { overflow: auto; background: var(--panel); border-left: 1px solid var(--line); }
header { padding: 16px 16px 12px; border-bottom: 1px solid var(--line); position: sticky; top: 0; background: var(--panel); z-index: 1; }
h1 { font-size: 17px; margin: 0; overflow-wrap: anywhere; }
header p { margin: 4px 0 0; color: var(--faint); font-size: 13px; }
figure { margin: 0 auto 24px; max-width: 900px; }
figcaption { color: var(--faint); font-size: 13px; margin-bottom: 6px; overflow-wrap: anywhere; }
.page { position: relative; background: #fff; box-shadow: 0 1px 4px rgb(0 0 0 / 25%); }
.page img { display: block; width: 100%; }
.missing { padding: 60px 20px; color: #5f6b7c; text-align: center; }
.box { position: absolute; padding: 0; border: 1.5px solid var(--mark); border-radius: 3px; background: rgb(37 99 235 / 10%); cursor: pointer; }
.box.lit { border-color: var(--hit); background: rgb(245 158 11 / 35%); box-shadow: 0 0 0 3px rgb(245 158 11 / 35%); z-index: 1; }
ul { list-style: none; margin: 0; padding: 6px 0 24px; }
.field { display: block; width: 100%; padding: 8px 16px; border: 0; border-left: 3px solid transparent; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
.field.lit { border-left-color: var(--hit); background: color-mix(in srgb, var(--hit) 18%, transparent); }
.field:focus-visible, .box:focus-visible { outline: 2px solid var(--hit); outline-offset: -2px; }
.name { display: flex; justify-content: space-between; gap: 8px; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
.value { display: block; font-weight: 600; overflow-wrap: anywhere; white-space: pre-wrap; }
.none { font-weight: 400; color: var(--faint); }
.quote { display: block; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
@media (max-width: 800px) {
  .split { display: block; height: auto; }
  aside { border-left: 0; }
}
@media print {
  .split { display: block; height: auto; }
}
`;
