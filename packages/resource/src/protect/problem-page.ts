/** The pages that `type` of a problem links to: what it means and what a client can do. Also found by its code. */
import { problemTypeOf } from '@grantor/protocol/http'
import { apiResponse, type ApiResponse } from '../http/response.ts'

/** Their path, from the root of the host. */
export const problemPages = '/problems/'

/** Served without a token, as many problems are about tokens. null for a path that is no problem page. */
export function problemPageResponse(path: string): ApiResponse | null {
  const html = path.startsWith(problemPages) ? problemPage(path.slice(problemPages.length)) : null
  return html === null ? null : apiResponse(200, pageHeaders, html)
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
  'cache-control': 'public, max-age=300',
}

/** null for an unknown type or code. */
export function problemPage(name: string): string | null {
  const found = problemTypeOf(name)
  if (found === null) return null
  const { slug, type } = found
  const codes = type.codes.map((code) => `<li><code>${code}</code></li>`).join('')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${type.title}</title>
<style>body{font:1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}</style>
<h1>${type.title}</h1>
<p><strong>${type.status}</strong> <code>${slug}</code></p>
<p>${escaped(type.explanation)}</p>
<h2>Codes</h2>
<ul>${codes}</ul>
</html>
`
}

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
