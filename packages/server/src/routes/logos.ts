/** GET /logos?client_id=…&v=…: the logo of a client, from our own origin, so that pages load nothing from others. */
import { parseForm } from '@grantor/protocol/oauth'
import { assetHeaders } from '../pages/csp.ts'
import type { Route } from './route.ts'

const path = '/logos'

/** The version is part of the URL, so that a picture may be cached for ever and a new one is shown at once. */
export const logoAddress = (base: string, clientId: string, version: string | null): string | null =>
  version === null ? null : `${base}${path}?${new URLSearchParams({ client_id: clientId, v: version }).toString()}`

export const logo: Route = {
  path,
  methods: ['GET'],
  cors: false,
  at: 'every issuer',
  handler:
    ({ responder, authority }) =>
    async (request, reply) => {
      const tenant = responder.tenant(request)
      if (tenant.kind === 'error') return responder.refuse(reply, tenant.error)
      const form = parseForm((request.raw.url ?? '').split('?').slice(1).join('?'))
      if (form.kind === 'error') return responder.refuse(reply, form.error)
      const clientId = form.value.get('client_id')
      const found = clientId === undefined ? null : await authority.logo(tenant.value, clientId)
      if (found === null) return responder.refuse(reply, { reason: 'not_found' })
      // A picture requested under another version is cached only briefly.
      const asked = form.value.get('v') === found.version
      const headers = { ...assetHeaders(found.type), ...(asked ? {} : { 'cache-control': 'public, max-age=300' }) }
      return responder.send(reply, 200, Buffer.from(found.bytes), headers)
    },
}
