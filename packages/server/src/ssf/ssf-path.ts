/** The addresses of shared signals: what is wrong there is told in their form, whoever notices it. */
import { ssfPath } from '@grantor/protocol/ssf'

const tenant = /^\/t\/[^/?]+/
const path = new RegExp(`^(?:/t/[^/?]+)?${ssfPath}(?:[/?]|$)`)

export const isSsfPath = (url: string): boolean => path.test(url)

/** What follows the root of the service: `/ssf/streams`; and what follows the question mark. */
export function belowIssuer(url: string): { readonly path: string; readonly search: URLSearchParams } {
  const at = url.indexOf('?')
  const whole = at < 0 ? url : url.slice(0, at)
  return {
    path: whole.replace(tenant, ''),
    search: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
  }
}
