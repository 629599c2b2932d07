/** The request to a hook about somebody who wants an account, and its answer (docs/sign-up.md). */
import { type Instant, isJsonObject, type JsonObject, type TenantId } from '../types.ts'

export const signUpHookType = 'account.signing_up'

/** The body of the request: a type for authors of hooks. It does not reveal whether the address has an account. */
export type SignUpHookRequest = {
  readonly type: typeof signUpHookType
  /** RFC 3339. */
  readonly timestamp: string
  readonly tenant: string
  readonly data: {
    readonly issuer: string
    readonly email: string
    /** The IP address; null where it is not known. */
    readonly ip: string | null
    readonly user_agent: string | null
  }
}

/**
 * The answer of the hook, as `application/json` with status 200. `url`: a page where the person can do something about
 * a refusal.
 */
export type SignUpHookAnswer =
  | { readonly decision: 'allow' }
  | { readonly decision: 'deny'; readonly reason?: string; readonly url?: string }

export interface SignUpQuestion {
  readonly tenant: TenantId
  readonly issuer: string
  readonly email: string
  readonly ip: string | null
  readonly userAgent: string | null
}

export const signUpHookRequest = (it: SignUpQuestion, now: Instant): SignUpHookRequest => ({
  type: signUpHookType,
  timestamp: new Date(now).toISOString(),
  tenant: it.tenant,
  data: { issuer: it.issuer, email: it.email, ip: it.ip, user_agent: it.userAgent },
})

export type SignUpVerdict = { readonly decision: 'allow' } | { readonly decision: 'deny'; readonly url: string | null }

const longestAddress = 2048

/** Null for an invalid answer. */
export function readSignUpAnswer(answer: unknown): SignUpVerdict | null {
  if (!isJsonObject(answer)) return null
  const { decision, reason, url, ...more }: JsonObject = answer
  if (Object.keys(more).length > 0) return null
  if (decision === 'allow') return reason === undefined && url === undefined ? { decision } : null
  if (decision !== 'deny' || (reason !== undefined && typeof reason !== 'string')) return null
  if (url === undefined) return { decision, url: null }
  return isPage(url) ? { decision, url } : null
}

/** The address becomes a link on our own page. */
const isPage = (url: unknown): url is string =>
  typeof url === 'string' &&
  url.length <= longestAddress &&
  URL.canParse(url) &&
  new URL(url).protocol === 'https:' &&
  new URL(url).username === ''
