/** POST /token, without HTTP: parse → load → decide → mint → commit → answer. */
import {
  type AnyGrantRule,
  type IssueDecision,
  jwtBearerGrant,
  type RefuseDecision,
  refuse as refusalOf,
  slowDownBy,
  slowestInterval,
} from '@grantor/protocol/grants'
import {
  type Binding,
  type Catalogue,
  type Confirmation,
  formatScope,
  type Refusal,
  verifierTries,
} from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { type Err, err, ok } from '@grantor/protocol/result'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import { nextNonce, possessionOf, type PossessionDependencies, type ProvenPossession } from '../clients/possession.ts'
import { basisOf, type Directory } from '../directory.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { newEvent, type UseRecorder } from '../events.ts'
import {
  type AssertedGrantDependencies,
  assertionProblem,
  type UseAssertion,
  useAssertionOnce,
} from '../trust/asserted-grant.ts'
import {
  asksOthers,
  type CheckIssuance,
  checkIssuanceOnce,
  type DecisionPointDependencies,
  whenIssuable,
} from './before-issuing.ts'
import { type MintDependencies, type MintedIssuance, mintTokens } from './mint-tokens.ts'
import { type Redemption, type RedemptionDependencies, redemptionOf } from './redemption.ts'

export type TokenDependencies = RedemptionDependencies &
  MintDependencies &
  PossessionDependencies &
  AssertedGrantDependencies &
  DecisionPointDependencies & {
    readonly clientUses: UseRecorder
    readonly directory: Directory
    readonly grants: readonly AnyGrantRule[]
    readonly serveClient: ServeClient
    readonly store: Pick<Store, 'tokens' | 'grants' | 'devices'>
  }

export function openTokenEndpoint(deps: TokenDependencies) {
  const rules = new Map(deps.grants.map((rule) => [rule.type, rule]))
  return (request: EndpointRequest): Promise<EndpointResult<JsonObject>> => {
    const possession = possessionOf(request, 'token', deps)
    let useAssertion: UseAssertion | null = null
    let checkIssuance: CheckIssuance | null = null
    return deps.serveClient('token', request, async (authenticate) => {
      const catalogue = await deps.directory.catalogue(request.tenant)
      if (catalogue === null || catalogue.tenant.disabledAt !== null) return unserved(request, deps)
      const redemption = redemptionOf({ form: request.form, catalogue, rules, possession }, deps)
      const authenticated = await authenticate(possession, async (client) => {
        const refused = await redemption.keyRefusal(client)
        return refused && noted(refused, { request, client }, deps)
      })
      if (authenticated.kind === 'error') return authenticated
      const client = authenticated.value
      const grantType = request.form.get('grant_type')
      if (grantType === jwtBearerGrant && (await trustsNobody(catalogue, deps)))
        return err({ reason: 'grant_type_unknown' })
      const loaded = await redemption.read(client)
      if (loaded.kind === 'error') return noted(loaded, { request, client }, deps)
      const { rule, params, found, binding: bound } = loaded.value
      if (bound.kind === 'error') return noted(bound, { request, client }, deps)
      const binding = bound.value
      const proven = possession(client)
      if (proven.kind === 'error') return proven
      const asked: TokenRequest = { request, client, catalogue, ...found, ...proven.value, now: deps.clock.now() }
      const decided = decide(rule, params, asked, deps)
      if (decided.do === 'refuse') return refuse(decided, asked, deps)
      let allowed = decided
      if (asksOthers(decided)) {
        const checked = await (checkIssuance ??= checkIssuanceOnce(deps))(decided, { ...asked, grantType: rule.type })
        if (checked.kind === 'error') return denied(checked, { ...asked, resource: decided.resource }, deps)
        allowed = checked.value
      }
      const rested = rests(allowed) ? await (useAssertion ??= useAssertionOnce(deps))(allowed, asked) : allowed
      if (rested === 'stale') return rested
      if (rested === 'already-spent') return refuse(refusalOf({ reason: 'assertion_used' }), asked, deps)
      if (rested === 'proof-used') return replayed(asked, deps)
      if (decided.assertion !== undefined) possession.proofUsed()
      const decision = confirmed(rested, binding.confirmation)
      const left = decided.assertion === undefined ? asked : { ...asked, proof: null }
      const issuable = await whenIssuable(left, deps.clock)
      const minted = await mintTokens(decision, issuable, deps)
      const committed = await commit({ grantType: rule.type, decision, minted, binding }, issuable, deps)
      if (committed === 'proof-used') return replayed(asked, deps)
      // Lost a race, or decided on old facts: decide again on what is true now. A lost code is then a replay, and a lost
      // refresh a retry that gets the one successor.
      if (committed !== 'committed') return 'stale'
      deps.clientUses.note(client, issuable.now)
      return { ...ok(minted.response), ...nextNonce(asked) }
    })
  }
}

/** Whether it rests on another issuer's word; few do, and the others pay for no more than this. */
const rests = ({ assertion, opens }: IssueDecision): boolean => assertion !== undefined || opens !== undefined

/** Nobody is refused on memory alone: the tenant may have been enabled meanwhile. */
async function unserved({ tenant }: EndpointRequest, { directory }: TokenDependencies) {
  return (await directory.servedCatalogue(tenant)) === null ? err({ reason: 'tenant_unknown' } as const) : 'stale'
}

/** What metadata do not offer is not known here; nor is this said on memory alone. */
async function trustsNobody({ tenant }: Catalogue, { directory }: TokenDependencies): Promise<boolean> {
  if (tenant.trustedIssuers !== undefined) return false
  return (await directory.currentCatalogue(tenant.id))?.tenant.trustedIssuers === undefined
}

/** What a request is decided on, and committed with. */
type TokenRequest = Redemption['found'] &
  ProvenPossession & {
    readonly request: EndpointRequest
    readonly client: Client
    readonly catalogue: Catalogue
    readonly now: Instant
  }

function decide(rule: AnyGrantRule, params: unknown, asked: TokenRequest, { issuers, policy }: TokenDependencies) {
  const { request, client, catalogue, facts, person, possession, now } = asked
  const issuer = issuers.issuerOf(request.tenant)
  return rule.decide({ params, facts, person, possession, client, catalogue, issuer, policy, now })
}

const verifierRefusals: ReadonlySet<Refusal['reason']> = new Set([
  'verifier_missing',
  'verifier_mismatch',
  'verifier_unexpected',
])

/** RFC 6749 §4.1.2: what a replay kills is dead before its answer leaves. */
async function refuse(decision: RefuseDecision, asked: TokenRequest, deps: TokenDependencies) {
  const { request, client, subject, now: at } = asked
  const { tenant } = request
  const { grants, devices } = deps.store
  const { refusal, strike, slower, revoke: grantId } = decision
  // Whoever sends a proof again does not have its key, and ends nothing by it.
  const { proof } = asked
  const changes = strike !== null || grantId !== null
  if (changes && proof !== null && !(await deps.store.tokens.useProof(tenant, proof))) return replayed(asked, deps)
  const unbelieved = assertionProblem(asked.facts, refusal)
  if (unbelieved !== null)
    deps.refusedRequests.record({ name: 'assertion.refused', tenant, clientId: client.id, reason: unbelieved })
  else if (verifierRefusals.has(refusal.reason))
    deps.refusedRequests.record({ name: 'verifier.refused', tenant, clientId: client.id, reason: refusal.reason })
  else noted(err(refusal), asked, deps)
  if (strike !== null) await grants.failVerifier(tenant, strike, verifierTries, at)
  if (slower !== null) await devices.slowDown(tenant, slower, { by: slowDownBy, most: slowestInterval })
  if (grantId !== null) {
    const actor = { kind: 'client' as const, id: client.id }
    const about = { actor, clientId: client.id, subject, grantId, reason: refusal.reason }
    const events = [newEvent(deps, request, 'token.replayed', about), newEvent(deps, request, 'grant.revoked', about)]
    await grants.revoke({ tenant, id: grantId, at, events })
  }
  return err(refusal)
}

/** By the policy or the hook of the API, as it is declared now: nobody is refused on memory alone. */
async function denied(
  refused: Err<Refusal>,
  { catalogue, client, resource }: TokenRequest & Pick<IssueDecision, 'resource'>,
  { directory, refusedRequests }: TokenDependencies,
) {
  const { id: tenant, revision } = catalogue.tenant
  if ((await directory.currentCatalogue(tenant))?.tenant.revision !== revision) return 'stale'
  const about = { tenant, clientId: client.id, reason: refused.error.reason }
  refusedRequests.record({ name: 'token.denied', ...about, ...(resource && { resource: resource.identifier }) })
  return refused
}

/** Not refused, but told to come again. */
const unfinished: ReadonlySet<Refusal['reason']> = new Set(['device_pending', 'device_polled_too_fast'])

/** Counts a refusal that has no event of its own. */
function noted(
  refused: Err<Refusal>,
  { request: { tenant }, client }: Pick<TokenRequest, 'request' | 'client'>,
  { refusedRequests }: TokenDependencies,
): Err<Refusal> {
  const { reason } = refused.error
  if (!unfinished.has(reason)) refusedRequests.record({ name: 'token.refused', tenant, clientId: client.id, reason })
  return refused
}

/** RFC 9449 §11.1: it is told apart from other faults, because a client may have sent it again after a lost answer. */
function replayed({ request: { tenant }, client }: TokenRequest, { refusedRequests }: TokenDependencies) {
  const refusal = { reason: 'proof_replayed' } as const
  refusedRequests.record({ name: 'proof.refused', tenant, clientId: client.id, reason: refusal.reason })
  return err(refusal)
}

/** RFC 9449 §6, RFC 8705 §3.1: the token says what it is bound to. */
const confirmed = (decision: IssueDecision, cnf: Confirmation | null): IssueDecision =>
  cnf === null ? decision : { ...decision, claims: { ...decision.claims, cnf } }

interface Issuance {
  readonly grantType: string
  readonly decision: IssueDecision
  readonly binding: Binding
  readonly minted: MintedIssuance
}

function commit(
  { grantType, decision, binding, minted }: Issuance,
  { request, client, catalogue, person, proof, now }: TokenRequest,
  deps: TokenDependencies,
) {
  const { access, refresh } = minted
  const { facts } = access
  return deps.store.tokens.issue({
    basis: basisOf(catalogue, client),
    at: now,
    grantId: decision.grantId,
    spend: refresh.spend,
    successor: refresh.row,
    opaque: access.opaque,
    ...(access.statusEntry === undefined ? {} : { statusEntry: access.statusEntry }),
    proof,
    binding: binding.grant,
    events: [
      newEvent(deps, request, grantType === 'refresh_token' ? 'token.refreshed' : 'token.issued', {
        actor: { kind: 'client', id: client.id },
        // The log speaks of the person, whatever name the client knows them by.
        subject: person?.id ?? facts.subject,
        clientId: client.id,
        grantId: facts.grantId,
        jti: facts.jti,
        scope: formatScope(facts.scope),
        data: { grant_type: grantType, aud: facts.audience, exp: facts.expiresAt / 1000, ...decision.eventData },
      }),
    ],
  })
}
