/** The documents at well-known addresses: RFC 8414 §3 and OIDC Discovery §4, at both addresses a tenant's issuer has. */
import type { Route } from './route.ts'

/** Seconds. Short, because a feature that is turned on should be found soon, and the document is cheap. */
const maxAge = 300

const document = (path: string, of: 'metadata' | 'grantor' | 'sharedSignals'): Route => ({
  path,
  methods: ['GET'],
  cors: true,
  at: 'inserted',
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
      const answer = await authority[of](tenant.value)
      return answer.kind === 'ok'
        ? responder.document(reply, answer.value, maxAge)
        : responder.refuse(reply, answer.error)
    },
})

export const openidConfiguration = document('/.well-known/openid-configuration', 'metadata')
export const oauthServer = document('/.well-known/oauth-authorization-server', 'metadata')
/** Endpoints of our own, which have no registered metadata names. */
export const grantor = document('/.well-known/grantor', 'grantor')
/** SSF 1.0 §7.2. */
export const ssfConfiguration = document('/.well-known/ssf-configuration', 'sharedSignals')
