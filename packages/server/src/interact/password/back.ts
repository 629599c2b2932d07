/** The authorization that somebody left to find their password, and the way back to it. */
import { isInteractionId } from '../page-route.ts'
import type { Visit } from '../visit.ts'

/** Names an interaction of this browser, and never an address. */
export const backField = 'back'

export const backIn = ({ form }: Pick<Visit, 'form'>): Readonly<Record<string, string>> => {
  const id = form.get(backField) ?? ''
  return isInteractionId(id) ? { [backField]: id } : {}
}

/** To the authorization where there is one, else to the account. */
export function signInHref(visit: Pick<Visit, 'form' | 'base'>): string {
  const id = backIn(visit)[backField]
  return `${visit.base}${id === undefined ? '/account' : `/interact/${id}`}`
}
