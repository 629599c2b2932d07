/** GET /callback/{provider}/metadata (SAML Metadata §2.4.4): our metadata for a SAML identity provider. */
import type { Route } from '../../routes/route.ts'

export const samlMetadata: Route = {
  path: '/callback/:provider/metadata',
  methods: ['GET'],
  cors: false,
  at: 'every issuer',
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
      const { provider } = request.params as { readonly provider: string }
      const metadata = await authority.samlMetadata(tenant.value, provider)
      if (metadata === null) return responder.refuse(reply, { reason: 'not_found' })
      return responder.send(reply, 200, metadata, { 'content-type': 'application/samlmetadata+xml' })
    },
}
