/** none — RFC 6749 §3.2.1: a public client sends its id and proves nothing. */
import { err, ok } from '../result.ts'
import { type ClientAuthRequest, type ClientAuthRule, isClientId } from './rule.ts'

export const none: ClientAuthRule = {
  method: 'none',
  recognise(request) {
    const clientId = request.form.get('client_id')
    if (clientId === undefined || showsCredentials(request)) return null
    if (!isClientId(clientId)) return err({ reason: 'parameter_malformed', name: 'client_id' })
    return ok({ method: 'none', clientId, secret: null })
  },
  proves: () => true,
}

/** A request with credentials of any kind, supported or not, must be checked by them. */
const showsCredentials = ({ form, authorization }: ClientAuthRequest): boolean =>
  authorization !== null ||
  ['client_secret', 'client_assertion', 'client_assertion_type'].some((name) => form.get(name) !== undefined)
