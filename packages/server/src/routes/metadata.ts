/** The metadata documents: RFC 8414 §3 and OIDC Discovery §4, at both addresses a tenant's issuer has. */
import { isRefusal } from '@grantor/protocol'
import type { Route } from './route.ts'

/** Short: a feature that is switched on should be found soon, and the document is cheap. */
const maxAge = 300

const metadata = (path: string): Route => ({
  path,
  methods: ['GET'],
  cors: true,
  at: 'inserted',
  handler: (desk) => async (request, reply) => {
    const tenant = desk.tenant(request)
    if (isRefusal(tenant)) return desk.refuse(reply, tenant)
    const answer = await desk.authority.metadata(tenant)
    return answer.ok ? desk.document(reply, answer.value, maxAge) : desk.refuse(reply, answer.refusal)
  },
})

export const openidConfiguration = metadata('/.well-known/openid-configuration')
export const oauthServer = metadata('/.well-known/oauth-authorization-server')
