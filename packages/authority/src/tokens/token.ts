/** POST /token, without HTTP: parse → load → decide → mint → commit → answer. The only hands the grants have. */
import {
  type DeviceFacts,
  type Facts,
  type GrantRule,
  grantRule,
  type IssueDecision,
  type RefuseDecision,
  slowDownBy,
  slowestInterval,
} from '@grantor/protocol/grants'
import { type Catalogue, formatScope, verifierTries } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Client } from '@grantor/protocol/registration'
import { err, ok } from '@grantor/protocol/result'
import type { Handle, Instant, JsonObject } from '@grantor/protocol/types'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { basisOf } from '../directory.ts'
import { newEvent } from '../events.ts'
import type { Hands } from '../hands.ts'
import { mintAccessToken, type MintedAccessToken, tokenResponse } from './mint-access-token.ts'
import { mintIdToken } from './mint-id-token.ts'
import { type MintedRefreshToken, mintRefreshToken } from './mint-refresh-token.ts'
import { type Soon, whenThere } from '../soon.ts'
import { retryStale } from '../retry-stale.ts'
import { type AuthenticateClient, withinLimits } from '../limits/endpoint-limits.ts'

type Attempt = EndpointResult<JsonObject> | 'stale'

export const token = (request: EndpointRequest, hands: Hands): Promise<EndpointResult<JsonObject>> =>
  withinLimits('token', { request, hands }, (who) =>
    retryStale(request.tenant, hands, () => attempt(request, who, hands)),
  )

function attempt(request: EndpointRequest, who: AuthenticateClient, hands: Hands): Soon<Attempt> {
  return whenThere(hands.directory.catalogue(request.tenant), (catalogue): Soon<Attempt> => {
    if (catalogue === null) return err({ reason: 'tenant_unknown' })
    if (catalogue.tenant.disabledAt !== null) return disabled(request, hands)
    return whenThere(who(), (client) =>
      client.kind === 'error' ? client : grant({ request, client: client.value, catalogue, hands }),
    )
  })
}

/** Nobody is refused on memory alone: it may have been enabled meanwhile. */
async function disabled({ tenant }: EndpointRequest, { directory }: Hands): Promise<Attempt> {
  const now = await directory.currentCatalogue(tenant)
  return now === null || now.tenant.disabledAt !== null ? err({ reason: 'tenant_unknown' }) : 'stale'
}

interface Asked {
  readonly request: EndpointRequest
  readonly client: Client
  readonly catalogue: Catalogue
  readonly hands: Hands
}

function grant(asked: Asked): Soon<Attempt> {
  const type = asked.request.form.get('grant_type')
  if (type === undefined) return err({ reason: 'parameter_missing', name: 'grant_type' })
  const rule = grantRule(type)
  if (rule === null) return err({ reason: 'grant_type_unknown' })
  if (!asked.client.metadata.grant_types.includes(type)) return err({ reason: 'grant_type_not_allowed' })
  const params = rule.parse(asked.request.form, asked.hands.ids.handleOf)
  if (params.kind === 'error') return params
  return whenThere(load(rule.reads, rule.handle(params.value), asked), (loaded) =>
    decide(rule, params.value, { ...asked, ...loaded }),
  )
}

function decide(rule: GrantRule<unknown, keyof Facts>, params: unknown, asked: Asked & Loaded): Soon<Attempt> {
  const { request, client, catalogue, hands, facts, person } = asked
  const issuer = hands.issuers.issuerOf(request.tenant)
  const given = { params, facts, person, client, catalogue, issuer, policy: hands.policy, now: hands.clock.now() }
  const decision = rule.decide(given)
  if (decision.do === 'issue') return issue(rule.type, decision, asked)
  return carryOut(decision, asked).then(() => err(decision.refusal))
}

interface Loaded {
  readonly facts: Facts[keyof Facts]
  readonly person: Person | null
}

const nothing: Loaded = { facts: null, person: null }

function load(reads: keyof Facts, handle: Handle | null, asked: Asked): Soon<Loaded> {
  return reads === 'nothing' || handle === null ? nothing : read(reads, handle, asked)
}

async function read(
  reads: Exclude<keyof Facts, 'nothing'>,
  handle: Handle,
  { request, hands }: Asked,
): Promise<Loaded> {
  const facts =
    reads === 'device' ? await polled(handle, request, hands) : await hands.store.grants[reads](request.tenant, handle)
  const subject = facts?.grant?.authentication.subject
  const person = subject === undefined ? null : await hands.people.find(request.tenant, subject)
  return { facts, person }
}

/** RFC 8628 §3.5: whether it polls too fast is judged by the poll before, which this node remembers. */
async function polled(handle: Handle, { tenant }: EndpointRequest, hands: Hands): Promise<DeviceFacts | null> {
  const facts = await hands.store.grants.device(tenant, handle)
  return facts && { ...facts, polledAt: hands.devicePollTimes.recordPoll(tenant, handle, hands.clock.now()) }
}

/** RFC 6749 §4.1.2: what a replay kills is dead before its answer leaves. */
async function carryOut(decision: RefuseDecision, asked: Asked & Loaded): Promise<void> {
  const { request, client, hands, facts } = asked
  const { store } = hands
  const at = hands.clock.now()
  if (decision.strike !== null) await store.grants.failVerifier(request.tenant, decision.strike, verifierTries, at)
  if (decision.slower !== null)
    await store.devices.slowDown(request.tenant, decision.slower, { by: slowDownBy, most: slowestInterval })
  if (decision.revoke !== null && facts !== null) {
    const about = {
      actor: { kind: 'client' as const, id: client.id },
      clientId: client.id,
      subject: facts.grant?.authentication.subject ?? null,
      grantId: decision.revoke,
      reason: decision.refusal.reason,
    }
    const events = [newEvent(hands, request, 'token.replayed', about), newEvent(hands, request, 'grant.revoked', about)]
    await store.grants.revoke({ tenant: request.tenant, id: decision.revoke, at, events })
  }
}

function issue(grantType: string, decision: IssueDecision, asked: Asked & Loaded): Soon<Attempt> {
  const { client, catalogue, hands, person } = asked
  const now = hands.clock.now()
  return whenThere(mintAccessToken({ decision, catalogue, client, now }, hands), (access) =>
    whenThere(mintIdToken({ decision, catalogue, client, person, accessToken: access.token, now }, hands), (idToken) =>
      commit({ grantType, decision, access, refresh: mintRefreshToken(decision, hands), idToken, now }, asked),
    ),
  )
}

interface Issuance {
  readonly grantType: string
  readonly decision: IssueDecision
  readonly access: MintedAccessToken
  readonly refresh: MintedRefreshToken
  readonly idToken: string | null
  readonly now: Instant
}

function commit(issuance: Issuance, asked: Asked & Loaded): Promise<Attempt> {
  const { grantType, decision, access, refresh, idToken, now } = issuance
  const { request, client, catalogue, hands, person } = asked
  const { facts } = access
  const issued = hands.store.tokens.issue({
    basis: basisOf(catalogue, client),
    at: now,
    grantId: decision.grantId,
    spend: refresh.spend,
    successor: refresh.row,
    opaque: access.opaque,
    events: [
      newEvent(hands, request, grantType === 'refresh_token' ? 'token.refreshed' : 'token.issued', {
        actor: { kind: 'client', id: client.id },
        // The log speaks of the person, whatever name the client knows them by.
        subject: person?.id ?? facts.subject,
        clientId: client.id,
        grantId: facts.grantId,
        jti: facts.jti,
        scope: formatScope(facts.scope),
        data: { grant_type: grantType, aud: facts.audience, exp: facts.expiresAt / 1000 },
      }),
    ],
  })
  // Lost a race, or decided on old facts: decide again on what is true now. A lost code is then a replay, and a lost
  // refresh a retry that gets the one successor.
  return issued.then((outcome) =>
    outcome === 'committed' ? ok(tokenResponse(access, refresh.token, idToken)) : 'stale',
  )
}
