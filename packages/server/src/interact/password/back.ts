/** The way back to the authorization that a person left to reset their password. */
import { isInteractionId } from '../page-route.ts'
import type { Visit } from '../visit.ts'

/** The parameter that names an interaction, never a URL. */
export const backField = 'back'

export const backIn = ({ form }: Pick<Visit, 'form'>): Readonly<Record<string, string>> => {
  const id = form.get(backField) ?? ''
  return isInteractionId(id) ? { [backField]: id } : {}
}

/** The URL to sign in: the authorization where there is one, otherwise the account. */
export function signInHref(visit: Pick<Visit, 'form' | 'base'>): string {
  const id = backIn(visit)[backField]
  return `${visit.base}${id === undefined ? '/account' : `/interact/${id}`}`
}
