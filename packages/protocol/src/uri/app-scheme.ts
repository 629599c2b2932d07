/** The schemes that lead back to an app: RFC 8252 §7.1, and other names that a deployment knows apps by. */

/** Editors that people connect with, whose scheme is a plain name. */
export const knownAppSchemes: readonly string[] = ['cursor', 'vscode', 'vscode-insiders', 'windsurf', 'zed']

/**
 * RFC 8252 §7.1: a domain name of the app's own in reverse order. A top-level domain has letters only, so
 * `x-apple.systempreferences` is not one. Any other scheme may open a browser, a shell or a viewer.
 */
const reverseDomain = /^(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/

export const isAppScheme = (scheme: string, known: ReadonlySet<string>): boolean =>
  reverseDomain.test(scheme) || known.has(scheme)

/** Schemes that even an operator cannot allow: they run script, open files or browser windows, or belong to the web. */
const neverOfAnApp: ReadonlySet<string> = new Set(
  [
    'javascript data vbscript blob filesystem about view-source file jar http https ws wss ftp mailto tel sms intent',
    'chrome chrome-extension moz-extension devtools edge microsoft-edge googlechrome firefox jnlp content shell ms-msdt',
  ].flatMap((line) => line.split(' ')),
)

/** Why a word cannot be an entry of `registration.schemes`; null where it can. */
export function appSchemeProblem(word: string): string | null {
  if (!/^[a-z][a-z0-9+.-]+$/.test(word)) return 'must be a scheme in lower case, without its colon'
  return neverOfAnApp.has(word) ? 'is the scheme of no app' : null
}
