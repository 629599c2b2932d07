/** Which schemes lead back to an app: RFC 8252 §7.1, and the names that a deployment knows some apps by. */

/** The editors that people connect with, and that answer to a plain name. */
export const knownAppSchemes: readonly string[] = ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed']

/**
 * RFC 8252 §7.1: a domain name of the app's own in reverse order. A top-level domain has letters only, so that
 * `x-apple.systempreferences` is none. Every other scheme may hand on to a browser, a shell or a viewer.
 */
const reverseDomain = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

export const isAppScheme = (scheme: string, known: ReadonlySet<string>): boolean =>
  reverseDomain.test(scheme) || known.has(scheme)

/** Not even an operator can mean these: they run script, open files or windows of the browser, or are the web. */
const neverOfAnApp: ReadonlySet<string> = new Set(
  [
    'javascript data vbscript blob filesystem about view-source file jar http https ws wss ftp mailto tel sms intent',
    'chrome chrome-extension moz-extension devtools edge microsoft-edge googlechrome firefox jnlp content shell ms-msdt',
  ].flatMap((line) => line.split(' ')),
)

/** Why a word is no entry of `registration.schemes`; null where it is one. */
export function appSchemeProblem(word: string): string | null {
  if (!/^[a-z][a-z0-9+.-]+$/.test(word)) return 'must be a scheme in lower case, without its colon'
  return neverOfAnApp.has(word) ? 'is the scheme of no app' : null
}
