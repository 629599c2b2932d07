/** POST /callback/{provider}/backchannel-logout (OIDC Back-Channel Logout §2.5): a provider says that a session is over. */
import type { Form, Refusal } from '@grantor/protocol/oauth'
import type { Result } from '@grantor/protocol/result'
import type { Route } from '../../routes/route.ts'

export const upstreamLogout: Route = {
  path: '/callback/:provider/backchannel-logout',
  methods: ['POST'],
  cors: false,
  at: 'every issuer',
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
      const form = request.body as Result<Form, Refusal> | undefined
      if (form?.kind === 'error') return responder.refuse(reply, form.error)
      const token = form?.value.get('logout_token')
      if (token === undefined) return responder.refuse(reply, { reason: 'parameter_missing', name: 'logout_token' })
      const { provider } = request.params as { readonly provider: string }
      const outcome = await authority.endUpstreamSessions({ tenant: tenant.value, provider, token })
      switch (outcome.did) {
        case 'ended':
          // §2.8: 200, and never cached.
          return responder.send(reply, 200, null, { 'cache-control': 'no-store' })
        case 'unknown':
          return responder.refuse(reply, { reason: 'not_found' })
        case 'unavailable':
          return responder.refuse(reply, { reason: 'issuer_unavailable', retryAfter: 5 })
        case 'refused':
          responder.log.info({ provider, check: outcome.problem }, 'a logout token was refused')
          return responder.refuse(reply, { reason: 'logout_token_invalid' })
      }
    },
}
