/** GET and POST /authorize, without HTTP: addressable? acceptable? Then an interaction is opened, and the hub goes on. */
import {
  acceptable,
  type Addressed,
  addressable,
  authorizationResponse,
  type AuthorizationRequest,
  type Catalogue,
  type Client,
  type Form,
  type Instant,
  isClientId,
  isRefusal,
  noProgress,
  type Refusal,
  wire,
} from '@grantor/protocol'
import type { Hands } from '../hands.ts'
import { openCompact } from '../keys/compact.ts'
import type { Shown } from './shown.ts'
import type { Visitor } from './visitor.ts'

export async function beginAuthorization(form: Form, visitor: Visitor, hands: Hands): Promise<Shown> {
  const catalogue = await hands.directory.catalogueNow(visitor.tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return error({ reason: 'tenant_unknown' })
  const addressed = addressable(form, await clientOf(form, visitor, hands))
  if (isRefusal(addressed)) return error(addressed)
  const hint = await hintOf(form.get('id_token_hint'), { client: addressed.client, catalogue, hands })
  const issuer = hands.issuerOf(visitor.tenant)
  const request = acceptable(form, addressed, { catalogue, issuer, policy: hands.policy, hint })
  return isRefusal(request) ? answer(addressed, request, issuer) : open(request, visitor, hands)
}

/** Nobody is refused on memory alone. */
async function clientOf(form: Form, { tenant }: Visitor, { directory }: Hands): Promise<Client | null> {
  const id = form.get('client_id')
  if (id === undefined || !isClientId(id)) return null
  return directory.known(tenant, id) ?? directory.clientNow(tenant, id)
}

const error = (refusal: Refusal): Shown => ({ go: 'error', refusal })

export const answer = (
  to: Pick<Addressed, 'redirectUri' | 'responseMode' | 'state'>,
  refusal: Refusal,
  issuer: string,
): Shown => ({
  go: 'answer',
  response: authorizationResponse(to, issuer, { refusal, errorUri: pageOf(refusal, issuer) }),
})

/** RFC 6749 §4.1.2.1: a page for the developer; all tenants share it. */
const pageOf = (refusal: Refusal, issuer: string): string => new URL(`/problems/${wire(refusal).error}`, issuer).href

interface HintGround {
  readonly client: Client
  readonly catalogue: Catalogue
  readonly hands: Hands
}

/** OIDC Core §3.1.2.1: an ID token of ours for this client, even an expired one, names who is meant. */
async function hintOf(text: string | undefined, { client, catalogue, hands }: HintGround) {
  if (text === undefined) return 'absent'
  const jws = await openCompact(text, (kid) => hands.keyring.verifier(catalogue, kid))
  const { iss, aud, sub, auth_time: signedInAt } = jws?.claims ?? {}
  // Signed userinfo has the same type, issuer and audience, but speaks of no sign-in.
  const ours = jws?.header['typ'] === 'JWT' && iss === hands.issuerOf(catalogue.tenant.id) && aud === client.id
  return ours && signedInAt !== undefined && typeof sub === 'string' ? { subject: sub } : 'invalid'
}

async function open(request: AuthorizationRequest, visitor: Visitor, hands: Hands): Promise<Shown> {
  const interaction = hands.secret('gi_')
  const browser = visitor.browser ?? hands.secret('gb_')
  const now = hands.now()
  await hands.store.interactions.open({
    tenant: visitor.tenant,
    handle: hands.handleOf(interaction),
    browser: hands.handleOf(browser),
    kind: 'authorize',
    request: request,
    progress: noProgress,
    openedAt: now,
    expiresAt: (now + hands.policy.interactionTtl * 1000) as Instant,
    closedAt: null,
    version: 1,
  })
  return { go: 'hub', interaction, keep: visitor.browser === null ? { browser } : {} }
}
