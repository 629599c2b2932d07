/** POST /token, without HTTP: parse → load → decide → mint → commit → answer. */
import { type AnyGrantRule, type IssueDecision, jwtBearerGrant, refuse as refusalOf } from '@grantor/protocol/grants'
import { type Binding, type Catalogue, type Confirmation, formatScope } from '@grantor/protocol/oauth'
import { err, ok } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { ServeClient } from '../clients/client-endpoint.ts'
import { nextNonce, possessionOf, type PossessionDependencies } from '../clients/possession.ts'
import { basisOf, type Directory } from '../directory.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { newEvent, type UseRecorder } from '../events.ts'
import { type AssertedGrantDependencies, type UseAssertion, useAssertionOnce } from '../trust/asserted-grant.ts'
import {
  asksOthers,
  type CheckIssuance,
  checkIssuanceOnce,
  type DecisionPointDependencies,
  whenIssuable,
} from './before-issuing.ts'
import { type MintDependencies, type MintedIssuance, mintTokens } from './mint-tokens.ts'
import { type DevicePollTimes, recordPollOnce, type RedemptionDependencies, redemptionOf } from './redemption.ts'
import { denied, noted, refuse, refusedNow, replayed, restsOnOldFacts, type TokenRequest } from './token-refusals.ts'

export type TokenDependencies = RedemptionDependencies &
  MintDependencies &
  PossessionDependencies &
  AssertedGrantDependencies &
  DecisionPointDependencies & {
    readonly clientUses: UseRecorder
    readonly devicePollTimes: DevicePollTimes
    readonly directory: Directory
    readonly grants: readonly AnyGrantRule[]
    readonly serveClient: ServeClient
    readonly store: Pick<Store, 'tokens' | 'grants' | 'devices'>
  }

export function openTokenEndpoint(deps: TokenDependencies) {
  const rules = new Map(deps.grants.map((rule) => [rule.type, rule]))
  return (request: EndpointRequest): Promise<EndpointResult<JsonObject>> => {
    const possession = possessionOf(request, 'token', deps)
    const recordPoll = recordPollOnce(deps.clock, deps.devicePollTimes)
    let useAssertion: UseAssertion | null = null
    let checkIssuance: CheckIssuance | null = null
    return deps.serveClient('token', request, async (authenticate) => {
      const catalogue = await deps.directory.catalogue(request.tenant)
      if (catalogue === null || catalogue.tenant.disabledAt !== null) return unserved(request, deps)
      const redemption = redemptionOf({ form: request.form, catalogue, rules, possession, recordPoll }, deps)
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
      if (loaded.kind === 'error') return refusedNow(loaded, { request, client, catalogue }, deps)
      const { rule, params, found, binding: bound } = loaded.value
      if (bound.kind === 'error') return refusedNow(bound, { request, client, catalogue }, deps)
      const binding = bound.value
      const proven = possession(client)
      if (proven.kind === 'error') return proven
      const asked: TokenRequest = { request, client, catalogue, ...found, ...proven.value, now: deps.clock.now() }
      const decided = decide(rule, params, asked, deps)
      if (decided.do === 'refuse')
        return (await restsOnOldFacts(decided.refusal, asked, deps)) ? 'stale' : refuse(decided, asked, deps)
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
      const proof = decided.assertion === undefined ? asked.proof : null
      const left =
        rested.opens === undefined ? { ...asked, proof } : { ...asked, proof, grant: await opened(rested, asked, deps) }
      const issuable = await whenIssuable(left, deps.clock)
      // It waited, and would now say a later second than what ended all tokens of its person meanwhile: look again.
      if (issuable !== left && left.grant !== null) return 'stale'
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

/** As it is on record, so that what ended all tokens of its person a moment ago is known of. */
const opened = async ({ grantId }: IssueDecision, { request }: TokenRequest, { store }: TokenDependencies) =>
  grantId === null ? null : store.grants.find(request.tenant, grantId)

/** Nobody is refused on memory alone: the tenant may have been enabled meanwhile. */
async function unserved({ tenant }: EndpointRequest, { directory }: TokenDependencies) {
  return (await directory.servedCatalogue(tenant)) === null ? err({ reason: 'tenant_unknown' } as const) : 'stale'
}

/** What metadata do not offer is not known here; nor is this said on memory alone. */
async function trustsNobody({ tenant }: Catalogue, { directory }: TokenDependencies): Promise<boolean> {
  if (tenant.trustedIssuers !== undefined) return false
  return (await directory.currentCatalogue(tenant.id))?.tenant.trustedIssuers === undefined
}

function decide(rule: AnyGrantRule, params: unknown, asked: TokenRequest, { issuers, policy }: TokenDependencies) {
  const { request, client, catalogue, facts, person, possession, now } = asked
  const issuer = issuers.issuerOf(request.tenant)
  return rule.decide({ params, facts, person, possession, client, catalogue, issuer, policy, now })
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
        data: {
          grant_type: grantType,
          aud: facts.audience,
          exp: facts.expiresAt / 1000,
          ...(access.statusEntry === undefined ? {} : { listed: true }),
          ...decision.eventData,
        },
      }),
    ],
  })
}
