/** POST /introspect, without HTTP (RFC 7662). What a resource server hears as inactive is recorded as token.rejected. */
import {
  type Client,
  formatScope,
  inactive,
  introspect as describe,
  isAlive,
  isRefusal,
  type JsonObject,
  mayIntrospect,
  maySee,
  presentedToken,
  type TokenStanding,
} from '@grantor/protocol'
import { type Answer, type EndpointRequest, no, yes } from './answer.ts'
import { authenticatedClient } from './client.ts'
import { event } from './events.ts'
import type { Hands } from './hands.ts'
import { findPresented, type Found, hasOwner } from './presented.ts'
import { steady } from './steady.ts'

const clean: TokenStanding = { revokedAt: null, grantRevokedAt: null }

export const introspect = (request: EndpointRequest, hands: Hands): Promise<Answer<JsonObject>> =>
  steady(request.tenant, hands, () => attempt(request, hands))

async function attempt(request: EndpointRequest, hands: Hands): Promise<Answer<JsonObject>> {
  const { tenant } = request
  const catalogue = await hands.directory.catalogue(tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return no({ reason: 'tenant_unknown' })
  const client = await authenticatedClient(request, hands)
  if (isRefusal(client)) return no(client)
  const barred = mayIntrospect(client)
  if (barred !== null) return no(barred)
  const presented = presentedToken(request.form)
  if (isRefusal(presented)) return no(presented)

  const found = await findPresented(presented, catalogue, hands)
  const owned = found.kind === 'access' && (await hasOwner(found.token, catalogue, hands))
  const token = found.kind === 'access' && owned ? found.token : null
  const standing = token === null ? clean : await hands.store.tokens.standing(tenant, token)
  const now = hands.now()
  const from = { issuer: hands.issuerOf(tenant), tenant }
  const described = describe({ token, standing, client, now, ...from })
  if (described === inactive) await record(request, hands, { client, found, standing, owned })
  return yes(described)
}

interface Rejected {
  readonly client: Client
  readonly found: Found
  readonly standing: TokenStanding
  readonly owned: boolean
}

async function record(request: EndpointRequest, hands: Hands, it: Rejected): Promise<void> {
  const token = it.found.kind === 'access' ? it.found.token : null
  await hands.store.events.append([
    event(hands, request, 'token.rejected', {
      actor: { kind: 'resource_server', id: it.client.id },
      clientId: token?.clientId ?? null,
      subject: token?.subject ?? null,
      grantId: token?.grantId ?? null,
      jti: token?.jti ?? null,
      scope: token === null ? null : formatScope(token.scope),
      reason: reasonOf(it, hands),
    }),
  ])
}

/** Why, for the log alone: the caller learns only that the token is not active. */
function reasonOf({ client, found, standing, owned }: Rejected, { now }: Pick<Hands, 'now'>): string {
  if (found.kind !== 'access') return 'token_unknown'
  if (!owned) return 'client_gone'
  if (!maySee(client, found.token)) return 'not_for_this_caller'
  if (standing.revokedAt !== null || standing.grantRevokedAt !== null) return 'token_revoked'
  return isAlive(found.token, standing, now()) ? 'token_unknown' : 'token_expired'
}
