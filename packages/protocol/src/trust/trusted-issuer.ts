/** Issuers whose tokens are accepted here, as an operator declares them: for certain workloads and people. */
import type { Served } from '../documents/capabilities.ts'
import { isMailAddress } from '../people/mail-address.ts'
import {
  type FieldProblem,
  type FieldType,
  flag,
  outboundUrl,
  publicKeySet,
  text,
} from '../registration/field-types.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type JsonObject } from '../types.ts'
import { type ClaimPattern, type ClaimRule, claimsProblem } from './claim-rules.ts'

/** With the names of the file, in which it is also stored. */
export interface TrustedIssuer {
  /** Exactly the `iss` of its tokens. */
  readonly issuer: string
  /** The required `aud` of its tokens, and no other; left out, our own issuer. */
  readonly audience?: string
  /** The address of its keys; left out, found by its discovery document. */
  readonly jwks_uri?: string
  /** Its keys themselves, if it cannot be fetched from. */
  readonly jwks?: JsonObject
  /** Whether a token with a `jti` is accepted only once, which is the default. */
  readonly single_use?: boolean
  /** The rules that map workloads to clients; the first match counts. */
  readonly rules?: readonly ClaimRule[]
  /** The people for whom it may speak; left out, none. */
  readonly people?: TrustedPeople
}

export interface TrustedPeople {
  /** Further conditions on its tokens, for example the tenant if it has several. */
  readonly claims?: { readonly [name: string]: ClaimPattern }
  /** Its subjects for people here. */
  readonly linked?: readonly { readonly sub: string; readonly username: string }[]
  /**
   * The domains whose addresses it may vouch for: a person is then found by an address that both sides have verified.
   */
  readonly email_domains?: readonly string[]
}

export const mostTrustedIssuers = 100
const mostRules = 200
const mostLinks = 1000
const mostDomains = 100

type Member = readonly [check: (value: unknown, served: Served) => string | null]
const by = (type: FieldType<unknown>): Member => [(value, served) => type.check(value, served)]

const members: Readonly<Record<string, Member>> = {
  issuer: [issuerProblem],
  audience: by(text()),
  jwks_uri: by(outboundUrl('web')),
  jwks: by(publicKeySet),
  single_use: by(flag),
  rules: [rulesProblem],
  people: [peopleProblem],
}

/** Validates an issuer, and reports a problem for every unknown or invalid member. */
export function readTrustedIssuer(item: JsonObject, served: Served): Result<TrustedIssuer, readonly FieldProblem[]> {
  const problems = Object.entries({ issuer: undefined, ...item }).flatMap(([field, value]) => {
    const [check] = Object.hasOwn(members, field) ? (members[field] as Member) : [unknownMember]
    const problem = check(value, served)
    return problem === null ? [] : [{ field, problem }]
  })
  if (item['jwks'] !== undefined && item['jwks_uri'] !== undefined)
    problems.push({ field: 'jwks', problem: 'must not stand beside jwks_uri' })
  return problems.length > 0 ? err(problems) : ok(item as unknown as TrustedIssuer)
}

const unknownMember = (): string => `is not known here; known are ${Object.keys(members).join(', ')}`

/** RFC 8414 §2: https, without query and fragment. */
function issuerProblem(value: unknown, { addresses }: Served): string | null {
  const problem = outboundUrl('web').check(value, { addresses } as Served)
  if (problem !== null) return problem
  return /[?#]/.test(value as string) ? 'must not hold a query or a fragment' : null
}

function rulesProblem(value: unknown): string | null {
  if (!Array.isArray(value)) return 'must be a list'
  if (value.length > mostRules) return `must not hold more than ${mostRules} rules`
  const problem = value.map(ruleProblem).find((it) => it !== null)
  if (problem !== undefined) return `holds a rule that ${problem}`
  const asked = value.map((rule: ClaimRule) => JSON.stringify(rule.claims))
  return new Set(asked).size === asked.length ? null : 'holds two rules over the same claims, of which one never counts'
}

function ruleProblem(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object'
  const { claims, client, ...others } = value
  if (Object.keys(others).length > 0) return 'must hold claims and client, nothing else'
  if (typeof client !== 'string' || client === '') return 'must name a client'
  return claimsProblem(claims)
}

function peopleProblem(value: unknown): string | null {
  if (!isJsonObject(value)) return 'must be an object'
  const { claims, linked = [], email_domains: domains = [], ...others } = value
  if (Object.keys(others).length > 0) return 'must hold claims, linked and email_domains, nothing else'
  const unclear = claims === undefined ? null : claimsProblem(claims)
  if (unclear !== null) return `has claims that ${unclear}`
  if (!Array.isArray(linked) || linked.length > mostLinks || !linked.every(isLink))
    return `must list at most ${mostLinks} linked people, each with sub and username`
  if (new Set(linked.map((it: { sub: string }) => it.sub)).size !== linked.length) return 'must not link a sub twice'
  if (!Array.isArray(domains) || domains.length > mostDomains || !domains.every(isDomain))
    return `must list at most ${mostDomains} email_domains in lower case`
  return linked.length + domains.length > 0 ? null : 'must hold linked people, or email_domains'
}

const isLink = (value: unknown): boolean =>
  isJsonObject(value) &&
  Object.keys(value).length === 2 &&
  [value['sub'], value['username']].every((it) => typeof it === 'string' && it !== '' && it.length <= 255)

const isDomain = (value: unknown): boolean =>
  typeof value === 'string' && value === value.toLowerCase() && isMailAddress(`a@${value}`)
