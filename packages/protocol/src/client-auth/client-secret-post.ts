/** client_secret_post — RFC 6749 §2.3.1. */
import { err, ok } from '../result.ts'
import { type ClientAuthRule, isClientId } from './rule.ts'
import { matchesSecret } from './secret.ts'

export const clientSecretPost: ClientAuthRule = {
  method: 'client_secret_post',
  recognise({ form }, handleOf) {
    const secret = form.get('client_secret')
    if (secret === undefined) return null
    const clientId = form.get('client_id')
    if (clientId === undefined) return err({ reason: 'parameter_missing', name: 'client_id' })
    if (!isClientId(clientId)) return err({ reason: 'parameter_malformed', name: 'client_id' })
    return ok({ method: 'client_secret_post', clientId, secret: handleOf(secret) })
  },
  proves: ({ presented, client, now }) => matchesSecret(presented.secret, client, now),
}
