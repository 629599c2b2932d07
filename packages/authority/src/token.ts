/** POST /token, without HTTP: parse → load → decide → mint → commit → answer. The only hands the grants have. */
import {
  type Catalogue,
  type Client,
  type Facts,
  formatScope,
  type GrantRule,
  grantRule,
  type IssueDecision,
  isRefusal,
  type JsonObject,
} from '@grantor/protocol'
import { type Answer, type EndpointRequest, no, yes } from './answer.ts'
import { authenticatedClient } from './client.ts'
import { basisOf } from './directory.ts'
import { event } from './events.ts'
import type { Hands } from './hands.ts'
import { mintAccessToken, tokenResponse } from './mint.ts'
import { steady } from './steady.ts'

type Attempt = Answer<JsonObject> | 'stale'

export const token = (request: EndpointRequest, hands: Hands): Promise<Answer<JsonObject>> =>
  steady(request.tenant, hands, () => attempt(request, hands))

async function attempt(request: EndpointRequest, hands: Hands): Promise<Attempt> {
  const catalogue = await hands.directory.catalogue(request.tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return no({ reason: 'tenant_unknown' })
  const client = await authenticatedClient(request, hands)
  if (isRefusal(client)) return no(client)

  const type = request.form.get('grant_type')
  if (type === undefined) return no({ reason: 'parameter_missing', name: 'grant_type' })
  const rule = grantRule(type)
  if (rule === null) return no({ reason: 'grant_type_unknown' })
  if (!client.metadata.grant_types.includes(type)) return no({ reason: 'grant_type_not_allowed' })
  return follow(rule, { request, client, catalogue, hands })
}

interface Asked {
  readonly request: EndpointRequest
  readonly client: Client
  readonly catalogue: Catalogue
  readonly hands: Hands
}

async function follow(rule: GrantRule<unknown, keyof Facts>, asked: Asked): Promise<Attempt> {
  const { request, client, catalogue, hands } = asked
  const params = rule.parse(request.form, hands.handleOf)
  if (isRefusal(params)) return no(params)
  const now = hands.now()
  const issuer = hands.issuerOf(request.tenant)
  const decision = rule.decide({ params, facts: null, client, catalogue, issuer, policy: hands.policy, now })
  return decision.do === 'refuse' ? no(decision.refusal) : issue(rule.type, decision, asked)
}

async function issue(grantType: string, decision: IssueDecision, asked: Asked): Promise<Attempt> {
  const { request, client, catalogue, hands } = asked
  const now = hands.now()
  const minted = await mintAccessToken({ decision, catalogue, clientId: client.id, claims: {}, now }, hands)
  const { facts } = minted
  const outcome = await hands.store.tokens.issue({
    basis: basisOf(catalogue, client),
    at: now,
    grantId: decision.grantId,
    spend: null,
    successor: null,
    opaque: minted.opaque,
    events: [
      event(hands, request, 'token.issued', {
        actor: { kind: 'client', id: client.id },
        subject: facts.subject,
        clientId: client.id,
        grantId: facts.grantId,
        jti: facts.jti,
        scope: formatScope(facts.scope),
        data: { grant_type: grantType, aud: facts.audience, exp: facts.expiresAt / 1000 },
      }),
    ],
  })
  return outcome === 'committed' ? yes(tokenResponse(minted)) : 'stale'
}
