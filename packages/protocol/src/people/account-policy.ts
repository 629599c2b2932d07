/**
 * A tenant's policy for accounts: who may create one, how people sign in besides their password, and the terms that
 * they accept.
 */
import { displayTextProblem } from '../oauth/display-text.ts'
import { err, ok, type Result } from '../result.ts'
import { isJsonObject, type Json, type JsonObject } from '../types.ts'
import { emailKey, isMailAddress } from './mail-address.ts'

/** The current terms of use. */
export interface Terms {
  readonly version: string
  /** The address at which people read them. */
  readonly url: string
}

/** With the names of files and of the admin API; an omitted member is off. */
export interface AccountPolicy {
  /** Whether people create accounts themselves. */
  readonly sign_up?: boolean
  /** The domains whose addresses may; left out, all. */
  readonly sign_up_domains?: readonly string[]
  /** Whether people may sign in by a mailed link. */
  readonly sign_in_links?: boolean
  readonly terms?: Terms
}

export interface AccountPolicyProblem {
  /** The member; empty for the whole. */
  readonly field: string
  readonly problem: string
}

const members = new Set(['sign_up', 'sign_up_domains', 'sign_in_links', 'terms'])
const mostDomains = 100
/** In characters; the version is part of the log and of the person's record. */
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

/** Null for an invalid list of domains. */
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

/** Whether everything is default. */
export const isPlainAccountPolicy = (policy: AccountPolicy): boolean => Object.keys(policy).length === 0

/** Whether a stored value has the form that `readAccountPolicy` makes. */
export const isAccountPolicy = (value: Json): value is JsonObject & AccountPolicy =>
  readAccountPolicy(value).kind === 'ok'

/** Whether the owner of this address may create an account. */
export const maySignUp = (email: string, { sign_up_domains: domains }: AccountPolicy): boolean =>
  domains === undefined || domains.includes(emailKey(email.slice(email.lastIndexOf('@') + 1)))

/** The terms that the person must still accept; null for none. */
export const outstandingTerms = (
  policy: AccountPolicy | undefined,
  accepted: string | null | undefined,
): Terms | null => (policy?.terms === undefined || policy.terms.version === accepted ? null : policy.terms)
