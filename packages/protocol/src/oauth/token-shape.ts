/**
 * The kind of a presented string by its form, before any lookup. Secrets of this server begin with a prefix that tells
 * their kind.
 */
import type { Form } from './form.ts'
import type { Refusal } from './refusal.ts'
import { err, ok, type Result } from '../result.ts'

/** Prefixes of secrets by kind, so that a leaked string can be recognised. */
export const secretPrefix = Object.freeze({
  code: 'gc_',
  refresh: 'gr_',
  access: 'ga_',
  device: 'gd_',
  /** An auth_req_id (CIBA). */
  authReqId: 'gx_',
  /** In a request_uri (RFC 9126): a pushed authorization request. */
  pushedRequest: 'gq_',
  clientSecret: 'gs_',
  apiKey: 'gk_',
  /** RFC 7592: the token that manages one registration. */
  registrationAccess: 'gm_',
  /** RFC 7591 §3: the token that permits a registration. */
  initialAccess: 'gt_',
  /** In cookies and URLs: a session, its browser, an interaction, a remembered browser. */
  session: 'gl_',
  browser: 'gb_',
  interaction: 'gi_',
  rememberedBrowser: 'gw_',
  /** In mails: a link to set a password or to confirm an address. */
  mailedLink: 'gp_',
})

export type SecretPrefix = (typeof secretPrefix)[keyof typeof secretPrefix]

export type TokenShape = 'jwt' | 'access' | 'refresh' | 'api_key' | 'unsupported' | 'unknown'

const prefixes: readonly (readonly [string, TokenShape])[] = [
  [secretPrefix.access, 'access'],
  [secretPrefix.refresh, 'refresh'],
  [secretPrefix.apiKey, 'api_key'],
  // Issued here, but not tokens: RFC 7009 §2.2.1 defines the answer for them.
  [secretPrefix.code, 'unsupported'],
  [secretPrefix.device, 'unsupported'],
  [secretPrefix.authReqId, 'unsupported'],
  [secretPrefix.clientSecret, 'unsupported'],
  [secretPrefix.registrationAccess, 'unsupported'],
  [secretPrefix.initialAccess, 'unsupported'],
]

export function tokenShape(token: string): TokenShape {
  if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return 'jwt'
  const known = prefixes.find(([prefix]) => token.startsWith(prefix))
  return known?.[1] ?? 'unknown'
}

/**
 * The `token` of a revocation or introspection request (RFC 7009 §2.1, RFC 7662 §2.1). `token_type_hint` only helps
 * servers that must search; this one sees the kind of a token, so a wrong or unknown hint changes nothing.
 */
export function presentedToken(form: Form): Result<{ token: string; shape: TokenShape }, Refusal> {
  const token = form.get('token')
  return token === undefined
    ? err({ reason: 'parameter_missing', name: 'token' })
    : ok({ token, shape: tokenShape(token) })
}
