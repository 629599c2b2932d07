import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { acceptAuthorizationRequest } from '../../src/authorize/accept-request.ts'
import { redirectTarget } from '../../src/authorize/redirect-target.ts'
import { nextStep, noInteractionProgress } from '../../src/authorize/next-step.ts'
import { approvedScope, rememberedConsent, type GivenConsent } from '../../src/authorize/consent.ts'
import { formOf } from '../../src/oauth/form.ts'
import { authorizationCode } from '../../src/grants/authorization-code.ts'
import { grantEnd } from '../../src/grants/grant-life.ts'
import { refreshToken } from '../../src/grants/refresh-token.ts'
import type { GrantDecision } from '../../src/grants/rule.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { Grant, RefreshFacts } from '../../src/grants/grant.ts'
import type { Scope } from '../../src/oauth/scope.ts'
import type { GrantId, Handle, Instant } from '../../src/types.ts'
import { defaultAddressRules } from '../../src/uri/address-rules.ts'
import { at, catalogue, client, grant, issuer, person, refreshFacts, scopeEntry } from '../samples.ts'

/** A whole deployment in a few fields, driven by the rules alone. */
const resources = ['https://a.example', 'https://b.example']
const owner = (name: string) =>
  name.startsWith('a:') ? resources[0] : name.startsWith('b:') ? resources[1] : undefined
const apiScopes = ['a:read', 'a:write', 'b:read']
const names = [...apiScopes, 'openid', 'email', 'offline_access']
const apis = catalogue({
  scopes: apiScopes.map((name) => scopeEntry(name, owner(name) ?? null, name === 'a:write' ? 'optional' : 'default')),
})
const clientWith = (scope: readonly string[]) =>
  client({
    grant_types: ['authorization_code', 'refresh_token'],
    scope: scope.join(' '),
    pkce: 'public_clients',
  })
/** What the model remembers of a grant, independent of what the rules keep. */
interface Held {
  grant: Grant
  refresh: RefreshFacts | null
  readonly requested: Scope
  readonly requestedResources: readonly string[]
  readonly consented: Scope
}
interface Model {
  registered: readonly string[]
  consents: GivenConsent[]
  /** All that was ever ticked or shown and allowed since the last withdrawal. */
  allowed: Set<string>
  grants: Held[]
  disabled: boolean
  now: number
  issued: number
}

const some = fc.subarray(names)
const resource = fc.constantFrom(undefined, ...resources)
/** Requests that fit are made likely: random ones are nearly always refused, and refusals prove little here. */
const authorizing = fc
  .record({
    scope: fc.subarray(names, { minLength: 1 }),
    how: fc.constantFrom('owners', 'owners', 'owners', 'none', 'random'),
    random: fc.subarray(resources),
    ticked: some,
    redeemFor: resource,
    answer: fc.constantFrom('allow', 'allow', 'allow', 'deny'),
  })
  .map(({ how, random, ...it }) => {
    const owners = [...new Set(it.scope.map(owner))].filter((identifier) => identifier !== undefined)
    return { ...it, do: 'authorize' as const, resources: how === 'owners' ? owners : how === 'none' ? [] : random }
  })
const refreshing = fc.record({
  do: fc.constant('refresh' as const),
  which: fc.nat(5),
  scope: fc.option(fc.subarray(names, { minLength: 1 })),
  resource,
})
const command = fc.oneof(
  { weight: 8, arbitrary: authorizing },
  { weight: 8, arbitrary: refreshing },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('register' as const), scope: fc.subarray(names, { minLength: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('withdraw' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('disable' as const), disabled: fc.constantFrom(true, false, false) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(1, 30_000, 70_000) }) },
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

function check(model: Model, held: Held, decision: GrantDecision, asked: readonly string[] | null): void {
  if (decision.do === 'refuse') {
    if (decision.revoke !== null) held.grant = { ...held.grant, revokedAt: at(model.now) }
    return
  }
  model.issued += 1
  assert.ok(!model.disabled, 'a disabled person has no tokens')
  assert.equal(held.grant.revokedAt, null, 'a revoked grant has no tokens')
  const audience = decision.resource?.identifier
  if (audience !== undefined && held.requestedResources.length > 0)
    assert.ok(held.requestedResources.includes(audience))
  for (const name of decision.scope) {
    assert.ok(held.requested.has(name), `${name} was requested`)
    assert.ok(held.consented.has(name), `${name} was consented to`)
    assert.ok(model.registered.includes(name), `${name} is registered`)
    assert.ok(asked === null || asked.includes(name), `${name} was asked for now`)
    assert.ok(owner(name) === undefined || owner(name) === audience, `${name} belongs to the audience`)
  }
}

function authorize(model: Model, it: Extract<Command, { do: 'authorize' }>): void {
  const web = clientWith(model.registered)
  const form = formOf([
    ['response_type', 'code'],
    ['client_id', 'web'],
    ['redirect_uri', 'https://client.example/cb'],
    ['scope', it.scope.join(' ')],
    ...it.resources.map((identifier): [string, string] => ['resource', identifier]),
  ])
  const addressed = redirectTarget(form, web, defaultAddressRules)
  if (addressed.kind === 'error') return
  const accepted = acceptAuthorizationRequest(form, addressed.value, {
    catalogue: apis,
    issuer,
    policy: defaultPolicy,
    hint: 'absent',
    signed: false,
    pushed: false,
  })
  if (accepted.kind === 'error') return
  const request = accepted.value
  const account = { subject: 'alice', sessionId: 's', at: at(0), acr: 'pwd', amr: ['pwd'] }
  const known = {
    request,
    openedAt: at(model.now),
    accounts: [account],
    proven: null,
    factors: new Map(),
    remembered: rememberedConsent(model.consents),
    eachTime: false,
    firstParty: false,
    person: { administrator: null, mustChangePassword: false },
    catalogue: apis,
    now: at(model.now),
  }
  let step = nextStep({ ...known, progress: noInteractionProgress })
  if (step.go === 'consent') {
    if (it.answer === 'deny') {
      const denied = nextStep({ ...known, progress: { ...noInteractionProgress, denied: true } })
      assert.ok(denied.go === 'refuse')
      return
    }
    // The model's own notion of consent: what the page showed as asked, but for optional ones that were not ticked.
    for (const name of step.question.missing)
      if (name !== 'a:write' || it.ticked.includes(name)) model.allowed.add(name)
    const scope = [...approvedScope(step.question, new Set(it.ticked))]
    model.consents.push({ scope: scope.join(' '), resources: request.resources, claims: null })
    step = nextStep({ ...known, progress: { ...noInteractionProgress, approval: { subject: 'alice', scope } } })
  }
  assert.ok(step.go === 'respond')
  const opened = grant({
    id: `g${model.grants.length}` as GrantId,
    authentication: step.account,
    scope: step.scope,
    resources: request.resources,
    createdAt: at(model.now),
    expiresAt: grantEnd({ client: web, scope: step.scope, policy: defaultPolicy, now: at(model.now), accessTtl: 600 }),
  })
  const held: Held = {
    grant: opened,
    refresh: null,
    requested: new Set(it.scope),
    requestedResources: it.resources,
    consented: new Set(model.allowed),
  }
  model.grants.push(held)
  redeem(model, held, it.redeemFor)
}

function redeem(model: Model, held: Held, resource: string | undefined): void {
  const pairs: [string, string][] = [
    ['code', 'gc_1'],
    ['redirect_uri', 'https://client.example/cb'],
  ]
  if (resource !== undefined) pairs.push(['resource', resource])
  const params = authorizationCode.parse(formOf(pairs), (s) => s as Handle)
  assert.ok(params.kind === 'ok')
  const decision = authorizationCode.decide({
    params: params.value,
    facts: {
      code: {
        grant: held.grant,
        redirectUri: 'https://client.example/cb',
        redirectUriSent: true,
        challenge: null,
        expiresAt: at(model.now + 1),
        spentAt: null,
        failures: 0,
      },
    },
    ...contextOf(model),
  })
  check(model, held, decision, null)
  if (decision.do === 'issue' && decision.refresh !== null) held.refresh = successor(held, decision.refresh)
}

function refresh(model: Model, it: Extract<Command, { do: 'refresh' }>): void {
  const held = model.grants[it.which]
  if (held?.refresh === undefined || held.refresh === null) return
  const pairs: [string, string][] = [['refresh_token', 'gr_1']]
  if (it.scope !== null) pairs.push(['scope', it.scope.join(' ')])
  if (it.resource !== undefined) pairs.push(['resource', it.resource])
  const params = refreshToken.parse(formOf(pairs), (s) => s as Handle)
  assert.ok(params.kind === 'ok')
  const facts = { refresh: { ...held.refresh, grant: held.grant } }
  const decision = refreshToken.decide({ params: params.value, facts, ...contextOf(model) })
  check(model, held, decision, it.scope)
  if (decision.do === 'issue' && decision.refresh !== null) held.refresh = successor(held, decision.refresh)
}

const contextOf = (model: Model) => ({
  client: clientWith(model.registered),
  catalogue: apis,
  issuer,
  policy: defaultPolicy,
  now: at(model.now),
  person: person({ disabledAt: model.disabled ? at(1) : null }),
})
const successor = (held: Held, { scope, expiresAt }: { readonly scope: Scope; readonly expiresAt: Instant }) =>
  refreshFacts(held.grant, { scope, expiresAt })
function run(model: Model, it: Command): void {
  if (it.do === 'authorize') authorize(model, it)
  else if (it.do === 'refresh') refresh(model, it)
  else if (it.do === 'register') model.registered = it.scope
  else if (it.do === 'disable') model.disabled = it.disabled
  else if (it.do === 'wait') model.now += it.ms
  else {
    model.consents = []
    model.allowed = new Set()
    for (const held of model.grants) held.grant = { ...held.grant, revokedAt: at(model.now) }
  }
}

test('over any sequence, the rights of every token ⊆ consented ∩ registered ∩ requested, for one audience', () => {
  let issued = 0
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30, size: 'max' }), (commands) => {
      const model: Model = {
        registered: names,
        consents: [],
        allowed: new Set(),
        grants: [],
        disabled: false,
        now: 1000,
        issued: 0,
      }
      for (const it of commands) run(model, it)
      issued += model.issued
    }),
    { numRuns: 2000 },
  )
  // A model that never issues would prove nothing.
  assert.ok(issued > 1000, `only ${issued} tokens were issued`)
})
