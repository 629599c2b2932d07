import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type InteractionFacts,
  nextStep,
  noInteractionProgress,
  type InteractionProgress,
} from '../../src/authorize/next-step.ts'
import type { AuthorizationRequest } from '../../src/authorize/request.ts'
import { isSessionAlive } from '../../src/authorize/session.ts'
import { acrValues, type Factors, noFactors, reportedAcr } from '../../src/authorize/strength.ts'
import type { RememberedConsent } from '../../src/authorize/consent.ts'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import type { Authentication } from '../../src/people/person.ts'
import { at, catalogue, scopeEntry } from '../samples.ts'

const account = (subject: string, signedInAt: number, acr = 'pwd'): Authentication => ({
  subject,
  sessionId: `s-${subject}`,
  at: at(signedInAt),
  acr,
  amr: ['pwd'],
})
const apis = catalogue({
  scopes: [scopeEntry('a:read', 'https://a.example'), scopeEntry('a:write', 'https://a.example', 'optional')],
})
const request: AuthorizationRequest = {
  clientId: 'web',
  redirectUri: 'https://client.example/cb',
  redirectUriSent: true,
  responseMode: 'query',
  state: null,
  scope: ['a:read', 'a:write', 'openid'],
  resources: ['https://a.example'],
  challenge: null,
  nonce: null,
  prompt: [],
  maxAge: null,
  acrValues: [],
  loginHint: null,
  uiLocales: [],
  claims: null,
  subject: null,
  pushed: null,
}
const all: RememberedConsent = {
  scope: new Set(request.scope),
  resources: new Set(request.resources),
  claims: new Set(),
  details: [],
}
const opened = 1_000_000
const alice = account('alice', opened - 100_000)
const bob = account('bob', opened - 200_000)
const fresh = account('alice', opened + 1)

interface Change extends Partial<Omit<InteractionFacts, 'request' | 'progress'>> {
  readonly request?: Partial<AuthorizationRequest>
  readonly progress?: Partial<InteractionProgress>
}
const step = (change: Change) =>
  nextStep({
    eachTime: false,
    firstParty: false,
    openedAt: at(opened),
    accounts: [alice],
    proven: null,
    factors: new Map(),
    remembered: null,
    person: { administrator: null, mustChangePassword: false },
    catalogue: apis,
    now: at(opened + 1000),
    ...change,
    request: { ...request, ...change.request },
    progress: { ...noInteractionProgress, ...change.progress },
  })
const brief = (change: Change): string => {
  const next = step(change)
  if (next.go === 'refuse') return next.refusal.reason
  if (next.go === 'respond') return `respond ${next.account.subject} ${[...next.scope].toSorted().join(' ')}`
  if (next.go === 'consent') return `consent ${next.account.subject} ${[...next.question.missing].toSorted().join(' ')}`
  if (next.go === 'second-factor') return `second-factor ${next.subject}${next.passkeyOnly ? ' by passkey' : ''}`
  return next.go
}
const none = { prompt: ['none'] as const }
const approved = (subject: string, ...scope: string[]) => ({ approval: { subject, scope } })
const acr = { userinfo: {}, id_token: { acr: { essential: true, values: ['mfa'] } } }

const [one, two, phr] = acrValues
const essential = (...values: string[]) => ({ userinfo: {}, id_token: { acr: { essential: true, values } } })
const preferred = (value: string, essential?: boolean) => ({
  userinfo: {},
  id_token: { acr: { ...(essential === undefined ? {} : { essential }), values: [value] } },
})
const weak = account('alice', opened - 100_000, one)
const has = (more: Partial<Factors>) => new Map([['alice', { ...noFactors, ...more }]])
const app = { accounts: [weak], remembered: all, factors: has({ otp: true, recoveryCodes: 10 }) }
const key = { accounts: [weak], remembered: all, factors: has({ passkey: true }) }
const half = { accounts: [], proven: { subject: 'alice', at: at(opened + 1) }, factors: has({ otp: true }) }

const table: readonly (readonly [title: string, change: Change, outcome: string])[] = [
  ['nobody is signed in', { accounts: [] }, 'login'],
  [
    'a password that is only for the first sign-in is changed before anything is answered',
    { remembered: all, person: { administrator: null, mustChangePassword: true } },
    'new-password',
  ],
  [
    'who may not be asked for another password has none',
    { remembered: all, person: { administrator: null, mustChangePassword: true }, request: none },
    'login_required',
  ],
  ['somebody is, and never allowed anything', {}, 'consent alice a:read a:write openid'],
  ['a first-party client is not asked about', { firstParty: true }, 'respond alice a:read a:write openid'],
  [
    'nor in silence, nor where an earlier yes would be no answer',
    { firstParty: true, eachTime: true, request: none },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=consent asks about a first-party client, too',
    { firstParty: true, request: { prompt: ['consent'] } },
    'consent alice a:read a:write openid',
  ],
  [
    'RFC 9396 §1: so do authorization details',
    { firstParty: true, request: { authorizationDetails: [{ type: 'payment' }] } },
    'consent alice a:read a:write openid',
  ],
  ['nobody is signed in, to a first-party client', { firstParty: true, accounts: [] }, 'login'],
  ['everything was allowed before', { remembered: all }, 'respond alice a:read a:write openid'],
  [
    'stepping up asks for what is new',
    { remembered: { ...all, scope: new Set(['openid', 'a:read']) } },
    'consent alice a:write',
  ],
  [
    'a new resource is asked for even with the same scopes',
    { remembered: { ...all, resources: new Set() } },
    'consent alice ',
  ],
  [
    'a new claim is asked for even with the same scopes',
    { remembered: all, request: { claims: { userinfo: { email: null }, id_token: {} } } },
    'consent alice ',
  ],
  [
    'a claim that was allowed before is not',
    {
      remembered: { ...all, claims: new Set(['email']) },
      request: { claims: { userinfo: { email: null }, id_token: {} } },
    },
    'respond alice a:read a:write openid',
  ],
  [
    'an approval is answered with what was approved',
    { progress: approved('alice', 'openid', 'a:read') },
    'respond alice a:read openid',
  ],
  [
    'an approval cannot widen the request',
    { progress: approved('alice', 'openid', 'admin:clients:write') },
    'respond alice openid',
  ],
  [
    'an approval by another account counts for nothing',
    { progress: approved('bob', 'openid', 'a:read') },
    'consent alice a:read a:write openid',
  ],
  [
    'a denial is a denial, also after an approval',
    { progress: { ...approved('alice', 'openid'), denied: true } },
    'access_denied',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=consent asks again',
    { remembered: all, request: { prompt: ['consent'] } },
    'consent alice a:read a:write openid',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=consent is content with one approval',
    { remembered: all, request: { prompt: ['consent'] }, progress: approved('alice', 'openid') },
    'respond alice openid',
  ],
  ['OIDC Core §3.1.2.1: prompt=login re-authenticates', { remembered: all, request: { prompt: ['login'] } }, 'login'],
  [
    'prompt=login is content with one sign-in',
    { remembered: all, request: { prompt: ['login'] }, accounts: [fresh] },
    'respond alice a:read a:write openid',
  ],
  ['OIDC Core §3.1.2.1: max_age re-authenticates', { remembered: all, request: { maxAge: 60 } }, 'login'],
  [
    'OIDC Core §3.1.2.1: max_age leaves a young sign-in alone',
    { remembered: all, request: { maxAge: 101 } },
    'respond alice a:read a:write openid',
  ],
  ['OIDC Core §3.1.2.1: max_age=0 re-authenticates once', { remembered: all, request: { maxAge: 0 } }, 'login'],
  [
    'max_age=0 is content with one sign-in',
    { remembered: all, request: { maxAge: 0 }, accounts: [fresh], now: at(opened + 90_000) },
    'respond alice a:read a:write openid',
  ],
  ['OIDC Core §3.1.2.1: prompt=none without session', { request: none, accounts: [] }, 'login_required'],
  [
    'OIDC Core §3.1.2.1: prompt=none with a stale session',
    { request: { ...none, maxAge: 1 }, remembered: all },
    'login_required',
  ],
  ['OIDC Core §3.1.2.1: prompt=none without consent', { request: none }, 'consent_required'],
  [
    'remembered consent counts for prompt=none',
    { request: none, remembered: all },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=none with two accounts',
    { request: none, accounts: [alice, bob] },
    'account_selection_required',
  ],
  ['two accounts are chosen from', { accounts: [alice, bob] }, 'choose'],
  [
    'the chosen one answers',
    { accounts: [alice, bob], progress: { account: 'bob' }, remembered: all },
    'respond bob a:read a:write openid',
  ],
  [
    'a chosen account whose session has ended signs in again',
    { accounts: [alice], progress: { account: 'bob' } },
    'login',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=select_account lets one choose even from one',
    { request: { prompt: ['select_account'] } },
    'choose',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=select_account without sessions',
    { request: { prompt: ['select_account'] }, accounts: [] },
    'login',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=select_account is content with one choice',
    { request: { prompt: ['select_account'] }, progress: { account: 'alice' }, remembered: all },
    'respond alice a:read a:write openid',
  ],
  ['a person may switch', { remembered: all, progress: { account: 'alice', accountAction: 'choose' } }, 'choose'],
  ['a person may sign in to one more account', { remembered: all, progress: { accountAction: 'login' } }, 'login'],
  [
    'OIDC Core §3.1.2.1: the hinted person answers, whoever else is there',
    { request: { subject: 'bob' }, accounts: [alice, bob], remembered: all },
    'respond bob a:read a:write openid',
  ],
  [
    'OIDC Core §3.1.2.1: nobody answers for the hinted person',
    { request: { subject: 'carol' }, accounts: [alice], progress: { account: 'alice' }, remembered: all },
    'person_mismatch',
  ],
  [
    'OIDC Core §3.1.2.1: whom an id_token_hint names is asked to sign in, once',
    { request: { subject: 'carol' }, accounts: [alice], remembered: all },
    'login',
  ],
  [
    'OIDC Core §3.1.2.1: a fresh sign-in of another than the one named is no fresh sign-in of the one named',
    { request: { prompt: ['login'], subject: 'bob' }, accounts: [alice, bob], progress: { account: 'alice' } },
    'person_mismatch',
  ],
  ['OIDC Core §3.1.2.2: nor in silence', { request: { ...none, subject: 'carol' }, remembered: all }, 'login_required'],
  [
    'acr_values are a preference',
    { request: { acrValues: ['mfa'] }, remembered: all },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §5.5.1.1: an essential acr asks for one more sign-in',
    { request: { claims: acr }, remembered: all },
    'login',
  ],
  [
    'OIDC Core §5.5.1.1: an essential acr that is met',
    { request: { claims: acr }, remembered: all, accounts: [account('alice', 5, 'mfa')] },
    'respond alice a:read a:write openid',
  ],
  [
    'RFC 9470 §4: an essential acr that could not be met is told',
    { request: { claims: acr }, remembered: all, accounts: [fresh] },
    'authentication_requirements_unmet',
  ],
  ['whoever has shown the password is asked for the second factor', half, 'second-factor alice'],
  ['never in silence', { ...half, request: none }, 'login_required'],
  ['not where another person is meant', { ...half, request: { subject: 'carol' } }, 'person_mismatch'],
  ['nor where another account was wished for', { ...half, progress: { accountAction: 'login' } }, 'login'],
  ['nor where somebody else signed in here since', { ...half, progress: { account: 'bob' } }, 'login'],
  [
    'OIDC Core §3.1.2.1: prompt=login asks for the password anew, too',
    { ...half, proven: { subject: 'alice', at: at(opened - 1) }, request: { prompt: ['login'] } },
    'login',
  ],
  [
    'OIDC Core §3.1.2.1: prompt=login, password shown: now the second factor',
    { ...half, accounts: [weak], request: { prompt: ['login'] } },
    'second-factor alice',
  ],
  [
    'OIDC Core §3.1.2.1: max_age holds for the password, too',
    { ...half, proven: { subject: 'alice', at: at(opened - 9000) }, request: { maxAge: 5 } },
    'login',
  ],
  ['a session stands without the second factor where nobody asks for it', app, 'respond alice a:read a:write openid'],
  [
    'OIDC Core §3.1.2.1: acr_values ask whoever has the factor',
    { ...app, request: { acrValues: [two] } },
    'second-factor alice',
  ],
  [
    'OIDC Core §3.1.2.1: acr_values pass over whoever has not',
    { ...app, factors: new Map(), request: { acrValues: [two] } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §3.1.2.1: of acr_values the first that can be had counts',
    { ...app, request: { acrValues: ['unknown', phr, two, one] } },
    'second-factor alice',
  ],
  [
    'OIDC Core §3.1.2.1: what is preferred and held is enough',
    { ...app, request: { acrValues: [one, two] } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §3.1.2.1: a preference asks nobody in silence',
    { ...app, request: { ...none, acrValues: [two] } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §5.5.1.1: the values of an acr claim that is not essential are a preference',
    { ...app, request: { claims: { userinfo: {}, id_token: { acr: { values: [two] } } } } },
    'second-factor alice',
  ],
  [
    'OIDC Core §5.5.1.1: such a preference is no condition: whoever cannot meet it goes on',
    { ...app, factors: new Map(), request: { claims: preferred(two) } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §5.5.1.1: nor is one that was just not met',
    { ...app, accounts: [account('alice', opened + 1, one)], factors: new Map(), request: { claims: preferred(phr) } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §5.5.1.1: nor does it ask anybody in silence',
    { ...app, request: { ...none, claims: preferred(two) } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §5.5.1.1: nor is an acr claim that says it is not essential',
    { ...app, request: { ...none, claims: preferred(two, false) } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §5.5.1: a condition may be one value instead of several',
    { ...app, request: { ...none, claims: { userinfo: {}, id_token: { acr: { essential: true, value: two } } } } },
    'login_required',
  ],
  [
    'OIDC Core §5.5.1.1: an essential acr without values is met by any',
    { ...app, request: { ...none, claims: { userinfo: {}, id_token: { acr: { essential: true } } } } },
    'respond alice a:read a:write openid',
  ],
  [
    'OIDC Core §5.5.1.1: an acr that is essential in userinfo is no condition of the sign-in',
    { ...app, request: { ...none, claims: { userinfo: { acr: { essential: true, values: [two] } }, id_token: {} } } },
    'respond alice a:read a:write openid',
  ],
  [
    'RFC 9470 §4: a condition asks for the factor',
    { ...app, request: { claims: essential(two) } },
    'second-factor alice',
  ],
  [
    'RFC 9470 §4: in silence a condition that is not met needs a sign-in',
    { ...app, request: { ...none, claims: essential(two) } },
    'login_required',
  ],
  [
    'EAP ACR Values §2: for phr only a passkey will do',
    { ...key, request: { claims: essential(phr) } },
    'second-factor alice by passkey',
  ],
  [
    'EAP ACR Values §2: whoever has no passkey is asked to sign in once more',
    { ...app, request: { claims: essential(phr) } },
    'login',
  ],
  [
    'RFC 9470 §4: a stronger sign-in meets a weaker condition',
    { ...key, accounts: [account('alice', 5, phr)], request: { claims: essential(two) } },
    'respond alice a:read a:write openid',
  ],
]
for (const [title, change, outcome] of table) test(`${title} → ${outcome}`, () => assert.equal(brief(change), outcome))

test('sessions end by idleness, by age, and by their owner, each at its very instant', () => {
  const times = { createdAt: at(0), lastSeenAt: at(0), expiresAt: at(1e12), endedAt: null }
  const idle = defaultPolicy.sessionIdleTtl * 1000
  const max = defaultPolicy.sessionMaxTtl * 1000
  assert.ok(isSessionAlive(times, defaultPolicy, at(idle - 1)))
  assert.ok(!isSessionAlive(times, defaultPolicy, at(idle)))
  assert.ok(isSessionAlive({ ...times, lastSeenAt: at(max - 1) }, defaultPolicy, at(max - 1)))
  assert.ok(!isSessionAlive({ ...times, lastSeenAt: at(max - 1) }, defaultPolicy, at(max)))
  assert.ok(!isSessionAlive({ ...times, expiresAt: at(5) }, defaultPolicy, at(5)))
  assert.ok(!isSessionAlive({ ...times, endedAt: at(1) }, defaultPolicy, at(2)))
})

test('the acr that is told was shown, and is one that the client named where there is such a one', () => {
  const told = (held: string, acrs: readonly string[], required?: readonly string[]) =>
    reportedAcr(held, { acrValues: acrs, claims: required === undefined ? null : essential(...required) })
  assert.equal(told(one, []), one)
  assert.equal(told(one, [two, phr]), one)
  assert.equal(told(two, [one, two, phr]), two)
  assert.equal(told(phr, [two]), two)
  assert.equal(told(phr, ['unknown']), phr)
  assert.equal(told(phr, [], [two]), two)
})
