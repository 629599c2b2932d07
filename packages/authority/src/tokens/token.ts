/** POST /token, without HTTP: authenticate → parse → load → decide → mint → commit → answer. */
import { type AnyGrantRule, type IssueDecision, jwtBearerGrant, refuse as refusalOf } from '@grantor/protocol/grants'
import { type Binding, type Catalogue, type Confirmation, formatScope, type Refusal } from '@grantor/protocol/oauth'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { JsonObject } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { AuthenticateClient, ServeClient } from '../clients/client-endpoint.ts'
import { nextNonce, possessionOf, type PossessionDependencies } from '../clients/possession.ts'
import { basisOf, type Directory } from '../directory.ts'
import type { EndpointRequest, EndpointResult } from '../endpoint.ts'
import { newEvent, type UseRecorder } from '../events.ts'
import { type AssertedGrantDependencies, useAssertionOnce } from '../trust/asserted-grant.ts'
import { asksOthers, checkIssuanceOnce, type DecisionPointDependencies, whenIssuable } from './before-issuing.ts'
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
    const perRequest = stepsPerRequest(request, deps)
    return deps.serveClient('token', request, async (authenticate) => {
      const read = await readRequest(request, { rules, authenticate, perRequest }, deps)
      if (isOver(read)) return read
      const decided = await decide(read.value, perRequest, deps)
      if (isOver(decided)) return decided
      return issue(read.value, decided.value, deps)
    })
  }
}

/**
 * The outcome of a step: its value for the next step, a refusal, or 'stale' where the facts it used are no longer true.
 * The last two end the attempt.
 */
type Step<T> = Result<T, Refusal> | 'stale'

const isOver = <T>(step: Step<T>): step is Err<Refusal> | 'stale' => step === 'stale' || step.kind === 'error'

/** The steps that happen once per request, even where it is decided again on fresh facts. */
const stepsPerRequest = (request: EndpointRequest, deps: TokenDependencies) => ({
  possession: possessionOf(request, 'token', deps),
  recordPoll: recordPollOnce(deps.clock, deps.devicePollTimes),
  checkIssuance: checkIssuanceOnce(deps),
  useAssertion: useAssertionOnce(deps),
})

type StepsPerRequest = ReturnType<typeof stepsPerRequest>

interface RequestReader {
  readonly rules: ReadonlyMap<string, AnyGrantRule>
  readonly authenticate: AuthenticateClient
  readonly perRequest: StepsPerRequest
}

interface ReadRequest {
  readonly rule: AnyGrantRule
  readonly params: unknown
  readonly binding: Binding
  readonly asked: TokenRequest
}

/**
 * Authenticates the client, parses the request by the rule of its grant type, and loads the facts that the rule names.
 */
async function readRequest(
  request: EndpointRequest,
  { rules, authenticate, perRequest: { possession, recordPoll } }: RequestReader,
  deps: TokenDependencies,
): Promise<Step<ReadRequest>> {
  const { tenant, form } = request
  const catalogue = await deps.directory.catalogue(tenant)
  if (catalogue === null || catalogue.tenant.disabledAt !== null) return unserved(request, deps)
  const redemption = redemptionOf({ form, catalogue, rules, possession, recordPoll }, deps)
  const authenticated = await authenticate(possession, async (client) => {
    const refused = await redemption.keyRefusal(client)
    return refused && noted(refused, { request, client }, deps)
  })
  if (authenticated.kind === 'error') return authenticated
  const client = authenticated.value
  if (form.get('grant_type') === jwtBearerGrant && (await trustsNoIssuer(catalogue, deps)))
    return err({ reason: 'grant_type_unknown' })
  const loaded = await redemption.read(client)
  if (loaded.kind === 'error') return refusedNow(loaded, { request, client, catalogue }, deps)
  const { rule, params, found, binding } = loaded.value
  if (binding.kind === 'error') return refusedNow(binding, { request, client, catalogue }, deps)
  const proven = possession(client)
  if (proven.kind === 'error') return proven
  const asked = { request, client, catalogue, ...found, ...proven.value, now: deps.clock.now() }
  return ok({ rule, params, binding: binding.value, asked })
}

/** No request is refused on memory alone: the tenant may have been enabled meanwhile. */
async function unserved({ tenant }: EndpointRequest, { directory }: TokenDependencies) {
  return (await directory.servedCatalogue(tenant)) === null ? err({ reason: 'tenant_unknown' } as const) : 'stale'
}

/**
 * A tenant that trusts no other issuer does not offer JWT bearer in its metadata, so the grant type is unknown there.
 * This refusal, too, does not rest on memory alone.
 */
async function trustsNoIssuer({ tenant }: Catalogue, { directory }: TokenDependencies): Promise<boolean> {
  if (tenant.trustedIssuers !== undefined) return false
  return (await directory.currentCatalogue(tenant.id))?.tenant.trustedIssuers === undefined
}

/**
 * Decides by the rule of the grant, then by the policy service and the hook of the API; last, the assertion is used up.
 */
async function decide(
  { rule, params, asked }: ReadRequest,
  perRequest: StepsPerRequest,
  deps: TokenDependencies,
): Promise<Step<IssueDecision>> {
  const { request, client, catalogue, facts, person, possession, now } = asked
  const issuer = deps.issuers.issuerOf(request.tenant)
  const decided = rule.decide({
    params,
    facts,
    person,
    possession,
    client,
    catalogue,
    issuer,
    policy: deps.policy,
    now,
  })
  if (decided.do === 'refuse')
    return (await restsOnOldFacts(decided.refusal, asked, deps)) ? 'stale' : refuse(decided, asked, deps)
  const checked = asksOthers(decided)
    ? await perRequest.checkIssuance(decided, { ...asked, grantType: rule.type })
    : ok(decided)
  if (checked.kind === 'error') return denied(checked, { ...asked, resource: decided.resource }, deps)
  return restsOnAssertion(decided) ? useAssertion(checked.value, { asked, perRequest }, deps) : checked
}

const restsOnAssertion = ({ assertion, opens }: IssueDecision): boolean =>
  assertion !== undefined || opens !== undefined

async function useAssertion(
  decision: IssueDecision,
  { asked, perRequest }: { readonly asked: TokenRequest; readonly perRequest: StepsPerRequest },
  deps: TokenDependencies,
): Promise<Step<IssueDecision>> {
  const used = await perRequest.useAssertion(decision, asked)
  switch (used) {
    case 'stale':
      return used
    case 'already-spent':
      return refuse(refusalOf({ reason: 'assertion_used' }), asked, deps)
    case 'proof-used':
      return replayed(asked, deps)
    default:
      // The DPoP proof was used up in the same commit; a further attempt at this request must not use it up again.
      if (decision.assertion !== undefined) perRequest.possession.proofUsed()
      return ok(used)
  }
}

/** Signs the tokens, commits them, and returns the answer. */
async function issue(
  { rule, binding, asked }: ReadRequest,
  decided: IssueDecision,
  deps: TokenDependencies,
): Promise<EndpointResult<JsonObject> | 'stale'> {
  const decision = withConfirmation(decided, binding.confirmation)
  const proof = decided.assertion === undefined ? asked.proof : null
  const grant = decided.opens === undefined ? asked.grant : await openedGrant(decided, asked, deps)
  const decidedOn = { ...asked, proof, grant }
  const issuable = await whenIssuable(decidedOn, deps.clock)
  // The issuance waited for a later second. A revocation in the meantime would not end its token, so it is decided
  // again.
  if (issuable !== decidedOn && grant !== null) return 'stale'
  const minted = await mintTokens(decision, issuable, deps)
  const committed = await commit({ grantType: rule.type, decision, minted, binding }, issuable, deps)
  if (committed === 'proof-used') return replayed(asked, deps)
  // The commit lost a race or rested on old facts, so the request is decided again. A code that was lost is then a
  // replay, and a lost refresh is a retry that gets the one successor.
  if (committed !== 'committed') return 'stale'
  deps.clientUses.note(asked.client, issuable.now)
  return { ...ok(minted.response), ...nextNonce(asked) }
}

/**
 * Read from the store because the grant was just opened: it tells up to which second the tokens of its person are dead.
 */
const openedGrant = async ({ grantId }: IssueDecision, { request }: TokenRequest, { store }: TokenDependencies) =>
  grantId === null ? null : store.grants.find(request.tenant, grantId)

/** RFC 9449 §6, RFC 8705 §3.1: the token names the key it is bound to. */
const withConfirmation = (decision: IssueDecision, cnf: Confirmation | null): IssueDecision =>
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
        // The log names the person by their own id, even where the client knows a pairwise one.
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
