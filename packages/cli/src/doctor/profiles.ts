/** Which tenants and clients have a profile, and whether client certificates can reach the server where needed. */
import type { Tenant } from '@grantor/protocol/oauth'
import type { Client, ClientMetadata } from '@grantor/protocol/registration'
import { type Deployment, seesCertificates, failed, type Finding, passed } from '@grantor/server'
import { readAllPages } from '../program/pages.ts'

const check = 'profiles'
const mostNamed = 20

export async function checkProfiles({ authority: { admin }, settings }: Deployment): Promise<readonly Finding[]> {
  const certificates = seesCertificates(settings)
  const tenants = await readAllPages<Tenant>((page) => admin.tenants.list(page))
  const held: Finding[] = []
  const broken: Finding[] = []
  for (const { id: tenant, profile: ofTenant } of tenants.kind === 'ok' ? tenants.value : []) {
    if (ofTenant !== undefined) held.push(passed(check, `tenant ${tenant} holds all its clients to ${ofTenant}`))
    const clients = await readAllPages<Client>((page) => admin.clients.list(tenant, page))
    for (const { id, metadata, disabledAt } of clients.kind === 'ok' ? clients.value : []) {
      if (disabledAt !== null) continue
      const which = `client ${id} of tenant ${tenant}`
      if (metadata.profile !== undefined) held.push(passed(check, `${which} holds ${metadata.profile}`))
      const need = certificates ? null : needsCertificate(metadata)
      if (need !== null)
        broken.push(
          failed(
            check,
            `${which} can do nothing: ${need}, and no certificate of a client reaches this server`,
            'set GRANTOR_MTLS_PORT to a port, or client_cert_header where a proxy shows certificates',
          ),
        )
    }
  }
  const all = [...broken, ...held]
  if (all.length === 0) return [passed(check, 'no tenant and no client holds one')]
  const others = all.length - mostNamed
  return others <= 0 ? all : [...all.slice(0, mostNamed), passed(check, `${others} more`)]
}

const needsCertificate = (it: ClientMetadata): string | null => {
  if (
    it.token_endpoint_auth_method === 'tls_client_auth' ||
    it.token_endpoint_auth_method === 'self_signed_tls_client_auth'
  )
    return `it authenticates by ${it.token_endpoint_auth_method}`
  return it.tls_client_certificate_bound_access_tokens === true ? 'its tokens are bound to its certificate' : null
}
