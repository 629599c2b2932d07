/** The pages of the demo client: plain HTML, one stylesheet, and a script while an export is running. */
import { webClientName } from './name.ts'
import type { SignedIn } from './visitors.ts'

export interface ShownOrder {
  readonly id: string
  readonly status: string
  readonly total_cents: number
  readonly currency: string
  readonly created_at: string
}

/** The state of an export, an operation of Orders; `unknown` if the API does not answer now. */
export interface ShownExport {
  readonly status: 'pending' | 'running' | 'succeeded' | 'failed' | 'canceled' | 'unknown'
  readonly progress: { readonly done: number; readonly total: number | null } | null
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const text = (value: string): string => value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character)

const page = (main: string, notice: string | null, script = ''): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${webClientName}</title>
<link rel="stylesheet" href="/client/style.css">${script}
</head>
<body>
<header><strong>${webClientName}</strong><span>a demo client of Grantor</span></header>
<main>${notice === null ? '' : `<p class="notice" role="status">${text(notice)}</p>`}${main}</main>
</body>
</html>
`

export const signedOutPage = (notice: string | null): string =>
  page(
    `<h1>See your orders</h1>
<p>This application has no passwords of its own. It asks Grantor who you are, and for leave to read and place orders in your name.</p>
<p><a class="button" id="sign-in" href="/client/sign-in">Sign in</a></p>
<p class="fine">In the demo, sign in as <code>alice</code> with the password <code>alice</code>.</p>`,
    notice,
  )

export interface SignedInView {
  readonly visitor: SignedIn
  readonly account: string
  readonly notice: string | null
  /** HTTP status of the answer of the Orders API. */
  readonly status: number
  readonly orders: readonly ShownOrder[] | null
  /** The detail of the problem, if the API refused. */
  readonly problem: string | null
  readonly work: ShownExport | null
}

const isUnderWay = (work: ShownExport | null): boolean =>
  work !== null && ['pending', 'running', 'unknown'].includes(work.status)

export const signedInPage = ({ visitor, account, notice, status, orders, problem, work }: SignedInView): string =>
  page(
    `<div class="top"><h1>Hello, ${text(visitor.name)}</h1>${button('sign-out', 'Sign out')}</div>
${work === null ? '' : exportSection(work)}
${orders === null ? refused(status, problem) : table(orders)}
<div class="row">
${button('order', 'Place an order', 'primary')}${button('export', 'Export all', 'plain', isUnderWay(work))}${button('refresh', 'Refresh the tokens')}${button('forget', 'Give the access back')}
</div>
<dl>
<dt>May do</dt><dd>${text(visitor.scope)}</dd>
<dt>Access token ends</dt><dd>${moment(new Date(visitor.expiresAt).toISOString())}</dd>
<dt>Orders answered</dt><dd id="orders-status">${status}</dd>
</dl>
<p class="fine">You can also take the access back at <a href="${text(account)}">your account</a>: the next call from here is refused.</p>`,
    notice,
    isUnderWay(work) ? '\n<script src="/client/export.js" defer></script>' : '',
  )

/** While the export is running, the script polls; without scripts there is a link to look again. */
export function exportSection(work: ShownExport): string {
  const { done = 0, total = null } = work.progress ?? {}
  if (isUnderWay(work)) {
    const known = total === null ? '' : ` value="${done}" max="${total}"`
    const words =
      work.status === 'unknown'
        ? 'Orders does not say now how far it is'
        : total === null
          ? 'Waiting for its turn'
          : `${done} of ${total} orders`
    return `<section class="export"><h2 id="export-title">Export</h2><progress aria-labelledby="export-title"${known}></progress>
<div class="row"><span id="export-status">${words}</span><a id="look-again" href="/client/">Look again</a>${button('cancel-export', 'Cancel')}</div></section>`
  }
  const end =
    work.status === 'succeeded'
      ? `<progress aria-labelledby="export-title" value="1" max="1"></progress>
<p class="row"><span id="export-status">Done</span><a href="/client/orders.json" download>Download orders.json</a></p>`
      : `<p id="export-status">${work.status === 'canceled' ? 'It was canceled.' : 'It failed. Please try again.'}</p>`
  return `<section class="export"><h2 id="export-title">Export</h2>${end}</section>`
}

/** Only if the token was refused (401) can a new sign-in help. */
function refused(status: number, problem: string | null): string {
  const why = `Orders refused with ${status}${problem === null ? '' : `: ${text(problem.replace(/\.$/, ''))}`}.`
  const [remedy, way] =
    status === 401
      ? [' Sign in again to go on.', '<a class="button" href="/client/sign-in">Sign in again</a>']
      : ['', '<a class="button" href="/client/">Look again</a>']
  return `<p class="notice bad" role="alert">${why}${remedy}</p>\n<p>${way}</p>`
}

const table = (orders: readonly ShownOrder[]): string =>
  orders.length === 0
    ? '<p class="empty">No orders yet. Place one.</p>'
    : `<table><thead><tr><th scope="col">Order</th><th scope="col">Status</th><th scope="col" class="number">Total</th><th scope="col">Placed</th></tr></thead><tbody>
${orders.map((it) => `<tr><td><code title="${text(it.id)}">…${text(it.id.slice(-8))}</code></td><td>${text(it.status)}</td><td class="number">${(it.total_cents / 100).toFixed(2)} ${text(it.currency)}</td><td>${moment(it.created_at)}</td></tr>`).join('\n')}
</tbody></table>`

const moment = (iso: string): string =>
  `<time datetime="${text(iso)}">${text(iso.slice(0, 16).replace('T', ' '))} UTC</time>`

const button = (act: string, label: string, look = 'plain', isHidden = false): string =>
  `<form method="post" action="/client/${act}"${isHidden ? ' hidden' : ''}><button class="button ${look}" id="${act}">${label}</button></form>`

export const failedPage = (why: string): string =>
  page(
    `<h1>That did not work</h1><p class="notice bad" role="alert" id="error">${text(why)}</p><p><a class="button" href="/client/">Start over</a></p>`,
    null,
  )

export const style = `:root{color-scheme:light dark;--ink:#15201d;--paper:#f5f7f6;--card:#fff;--muted:#55625d;--line:#d9e0dd;--accent:#0b6b57;--bad:#a1281c}
@media(prefers-color-scheme:dark){:root{--ink:#e8efec;--paper:#101513;--card:#171e1c;--muted:#a5b2ad;--line:#2c3633;--accent:#63c9b0;--bad:#ff9d90}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.55 system-ui,sans-serif}
header{display:flex;gap:.75rem;align-items:baseline;padding:1rem 1.5rem;border-bottom:1px solid var(--line);background:var(--card)}header span{color:var(--muted)}
main{max-width:46rem;margin:2.5rem auto;padding:2rem;background:var(--card);border:1px solid var(--line);border-radius:.75rem}
h1{margin:0 0 1rem;font-size:1.6rem;line-height:1.2}a{color:var(--accent)}code{font-size:.9em;overflow-wrap:anywhere}
.button{display:inline-block;padding:.6rem 1.1rem;border-radius:.5rem;border:1px solid var(--accent);background:transparent;color:var(--accent);font:inherit;font-weight:600;text-decoration:none;cursor:pointer}
a.button,.button.primary{background:var(--accent);color:var(--card)}.button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem;margin:1.5rem 0}
.export{margin:1.5rem 0;padding:1rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;background:var(--paper)}.export h2{margin:0 0 .5rem;font-size:1.1rem}.export .row{margin:.5rem 0 0;justify-content:space-between}
td code,.number{white-space:nowrap}
progress{display:block;width:100%;height:.75rem;accent-color:var(--accent)}
table{width:100%;border-collapse:collapse}th,td{text-align:left;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}.number{text-align:right;font-variant-numeric:tabular-nums}th.number,td.number{padding-right:1.75rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.35rem 1.25rem;margin:1.5rem 0}dt{color:var(--muted)}dd{margin:0;overflow-wrap:anywhere}
.top{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:start;gap:0 1rem;margin-bottom:.5rem}
main>.notice:first-child{margin-top:0}.notice{padding:.75rem 1rem;border-left:4px solid var(--accent);background:var(--paper)}.notice.bad{border-color:var(--bad);color:var(--bad)}.fine,.empty{color:var(--muted)}
@media(max-width:40rem){main{margin:0;border:0;border-radius:0;padding:1.25rem}table{font-size:.875rem}th.number,td.number{padding-right:1rem}dl{grid-template-columns:1fr}dd{margin-bottom:.5rem}}
`
