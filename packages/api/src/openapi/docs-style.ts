/** The style sheet of the documentation page, in light and dark. */
export const docsStyle = `:root{color-scheme:light dark;--ink:#15201d;--paper:#f5f7f6;--card:#fff;--muted:#55625d;--line:#d9e0dd;--accent:#0b6b57;--bad:#a1281c}
@media(prefers-color-scheme:dark){:root{--ink:#e8efec;--paper:#101513;--card:#171e1c;--muted:#a5b2ad;--line:#2c3633;--accent:#63c9b0;--bad:#ff9d90}}
*{box-sizing:border-box}body{margin:0 auto;max-width:64rem;padding:1.5rem;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
h1{margin:0;font-size:1.75rem}h2{margin:2rem 0 .75rem;font-size:1.25rem}h3{margin:1.25rem 0 .5rem;font-size:1rem}p{margin:.5rem 0}a{color:var(--accent)}
.fine{color:var(--muted);font-size:.9em}code{font-size:.9em;overflow-wrap:anywhere}
nav ul{display:flex;flex-wrap:wrap;gap:.5rem 1.25rem;margin:1rem 0;padding:0;list-style:none}
details{margin:.5rem 0;padding:0 1rem;border:1px solid var(--line);border-radius:.5rem;background:var(--card)}details[open]{padding-bottom:1rem}
summary{padding:.75rem 0;cursor:pointer}summary>*{margin-right:.35rem}summary:focus-visible,a:focus-visible,.wide:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.method{display:inline-block;min-width:4.25rem;padding:.1rem .4rem;border:1px solid var(--line);border-radius:.3rem;text-align:center;font-size:.8rem;font-weight:700;color:var(--accent)}.method.delete,.gone{color:var(--bad)}
.wide{overflow-x:auto}table{width:100%;border-collapse:collapse;font-size:.925rem}th,td{padding:.4rem .75rem .4rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}th{color:var(--muted);font-weight:600}
@media(max-width:40rem){body{padding:1rem}.about{display:block;margin:.35rem 0 0 1.1rem}table,tbody,tr,td{display:block}thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}tr{padding:.5rem 0;border-bottom:1px solid var(--line)}td{padding:.1rem 0;border:0}td:nth-child(-n+2){display:inline-block;margin-right:.6rem}td:nth-child(1){font-weight:600}}
`
