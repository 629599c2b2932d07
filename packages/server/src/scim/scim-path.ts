/** The addresses of the SCIM service: what is wrong there is told in SCIM's form, whoever notices it. */
import { scimPath } from '@grantor/protocol/scim'

const path = new RegExp(`^(?:/t/[^/?]+)?${scimPath}(?:[/?]|$)`)

export const isScimPath = (url: string): boolean => path.test(url)

/** What follows the root of the service: `/Users/123`; and what follows the question mark. */
export function belowScim(url: string): { readonly path: string; readonly search: string } {
  const at = url.indexOf('?')
  const whole = at < 0 ? url : url.slice(0, at)
  return { path: whole.slice(whole.indexOf(scimPath) + scimPath.length), search: at < 0 ? '' : url.slice(at + 1) }
}
