/** The paths of shared signals: all errors there have their own form, whichever part of the server finds them. */
import { ssfPath } from '@grantor/protocol/ssf'

const tenant = /^\/t\/[^/?]+/
const path = new RegExp(`^(?:/t/[^/?]+)?${ssfPath}(?:[/?]|$)`)

export const isSsfPath = (url: string): boolean => path.test(url)

/** The path below the issuer, `/ssf/streams`, and the query. */
export function belowIssuer(url: string): { readonly path: string; readonly search: URLSearchParams } {
  const at = url.indexOf('?')
  const whole = at < 0 ? url : url.slice(0, at)
  return {
    path: whole.replace(tenant, ''),
    search: new URLSearchParams(at < 0 ? '' : url.slice(at + 1)),
  }
}
