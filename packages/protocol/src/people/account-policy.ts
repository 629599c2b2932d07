/** What a tenant says of the accounts of its people: who may make one alone, how they sign in beside their password, and the terms they agree to. */
import { displayTextProblem } from '../oauth/display-text.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { emailKey, isMailAddress } from './mail-address.ts'

/** The terms of use that are in force. */
export interface Terms {
  readonly version: string
  /** Where people read them. */
  readonly url: string
}

/** In the names of the files and of the admin API; what is left out is off. */
export interface AccountPolicy {
  /** Whether people make accounts themselves. */
  readonly sign_up?: boolean
  /** Whose addresses may; left out, all. */
  readonly sign_up_domains?: readonly string[]
  /** Whether people may sign in by a link that is mailed to them. */
  readonly sign_in_links?: boolean
  readonly terms?: Terms
}

export interface AccountPolicyProblem {
  /** Of the member; empty where the whole is meant. */
  readonly field: string
  readonly problem: string
}

const members = new Set(['sign_up', 'sign_up_domains', 'sign_in_links', 'terms'])
const mostDomains = 100
/** It stands in the log and on record beside whoever agreed. */
export const longestTermsVersion = 64
const longestTermsAddress = 2000

export function readAccountPolicy(value: Json): Result<AccountPolicy, readonly AccountPolicyProblem[]> {
  if (!isJsonObject(value)) return err([{ field: '', problem: 'must be an object' }])
  const problems: AccountPolicyProblem[] = []
  const report = (field: string, problem: string): void => void problems.push({ field, problem })
  for (const field of Object.keys(value)) if (!members.has(field)) report(field, 'is not known here')
  const { sign_up: signUp, sign_up_domains: domains, sign_in_links: links, terms } = value
  if (signUp !== undefined && typeof signUp !== 'boolean') report('sign_up', 'must be true or false')
  if (links !== undefined && typeof links !== 'boolean') report('sign_in_links', 'must be true or false')
  const read = domains === undefined ? [] : domainsIn(domains)
  if (read === null) report('sign_up_domains', `must be a list of 1 to ${mostDomains} domains, such as example.com`)
  if (terms !== undefined) for (const [field, problem] of termsProblems(terms)) report(field, problem)
  if (problems.length > 0 || read === null) return err(problems)
  return ok({
    ...(signUp === true ? { sign_up: true } : {}),
    ...(read.length === 0 ? {} : { sign_up_domains: read }),
    ...(links === true ? { sign_in_links: true } : {}),
    ...(terms === undefined ? {} : { terms: terms as unknown as Terms }),
  })
}

/** Null for what is no list of domains. */
function domainsIn(value: Json): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > mostDomains) return null
  const all = value.map((it) => (typeof it === 'string' && isMailAddress(`x@${it}`) ? emailKey(it) : null))
  return all.every((it) => it !== null) ? [...new Set(all)] : null
}

function* termsProblems(terms: Json): Generator<readonly [field: string, problem: string]> {
  if (!isJsonObject(terms)) return yield ['terms', 'must be an object of version and url']
  for (const field of Object.keys(terms)) {
    if (field !== 'version' && field !== 'url') yield [`terms.${field}`, 'is not known here']
  }
  const { version, url } = terms
  const misnamed = displayTextProblem(version, longestTermsVersion)
  if (misnamed !== null) yield ['terms.version', misnamed]
  if (!isPageAddress(url)) yield ['terms.url', 'must be an https address']
}

const isPageAddress = (url: Json | undefined): boolean =>
  typeof url === 'string' &&
  url.length <= longestTermsAddress &&
  URL.canParse(url) &&
  new URL(url).protocol === 'https:' &&
  new URL(url).username === ''

/** Whether nothing is said at all. */
export const isPlainAccountPolicy = (policy: AccountPolicy): boolean => Object.keys(policy).length === 0

/** Whether a stored value is one that `readAccountPolicy` made. */
export const isAccountPolicy = (value: Json): value is JsonObject & AccountPolicy =>
  readAccountPolicy(value).kind === 'ok'

/** Whether somebody of this address may make an account. */
export const maySignUp = (email: string, { sign_up_domains: domains }: AccountPolicy): boolean =>
  domains === undefined || domains.includes(emailKey(email.slice(email.lastIndexOf('@') + 1)))

/** The terms that somebody has yet to agree to; null for none. */
export const outstandingTerms = (
  policy: AccountPolicy | undefined,
  accepted: string | null | undefined,
): Terms | null => (policy?.terms === undefined || policy.terms.version === accepted ? null : policy.terms)
