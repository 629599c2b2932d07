/** The paths of the SCIM service: all errors there have SCIM's form, whichever part of the server finds them. */
import { scimPath } from '@grantor/protocol/scim'

const path = new RegExp(`^(?:/t/[^/?]+)?${scimPath}(?:[/?]|$)`)

export const isScimPath = (url: string): boolean => path.test(url)

/** The path below the root of the service, `/Users/123`, and the query. */
export function belowScim(url: string): { readonly path: string; readonly search: string } {
  const at = url.indexOf('?')
  const whole = at < 0 ? url : url.slice(0, at)
  return { path: whole.slice(whole.indexOf(scimPath) + scimPath.length), search: at < 0 ? '' : url.slice(at + 1) }
}
