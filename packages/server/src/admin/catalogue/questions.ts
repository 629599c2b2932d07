/** Read-only actions on APIs and scopes: whether an API would accept a token, and what a consent page would show. */
import type { ActionPlan } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { builtInScopes, parseScope, type ScopeEntry } from '@grantor/protocol/oauth'
import { type LanguageTag, oidcScopeNames, uiLocales } from '@grantor/protocol/oidc'
import { isJsonObject, type JsonObject } from '@grantor/protocol/types'
import { rejection, type Rejection, rejectionKinds } from '@grantor/resource'
import { Type } from 'typebox'
import { languages } from '../../pages/language/index.ts'
import { inReadingOrder, scopeWords } from '../../pages/language/scope-words.ts'
import { adminProblem } from '../admin-problem.ts'
import { tenantOf } from '../fields.ts'
import { refusalOf } from '../validator.ts'

/** For a resource. The token is neither stored nor logged, and no event is written. */
export const testToken = ({ tokens }: Authority['admin']): ActionPlan<{ readonly id: string }> => ({
  on: 'item',
  scope: 'admin:resources:read',
  summary: 'Say what this API would answer to an access token, and why',
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 16_384 }) }),
  example: { token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.e30.c2lnbmF0dXJl' },
  async run({ token }: { readonly token: string }, context, entry) {
    const found = await tokens.inspect(tenantOf(context), token)
    if (found.kind === 'error')
      return found.error.reason === 'unavailable'
        ? adminProblem(found.error)
        : verdictOf(rejection('invalid_token'), null)
    return verdictOf(refusalOf(found.value, entry?.value.id ?? ''), found.value)
  },
})

function verdictOf(refused: Rejection | null, inspected: JsonObject | null): JsonObject {
  const { active: _active, revoked_at: _revokedAt, ...claims } = inspected ?? {}
  const shown = inspected === null ? {} : { claims }
  const proof = proofWanted(claims)
  if (refused === null) return { accepted: true, ...(proof === null ? {} : { proof }), ...shown }
  const { status, description } = rejectionKinds[refused.code]
  return { accepted: false, status, code: refused.code, says: `${description}.`, ...shown }
}

/** The proof of possession that the token's sender needs; null for none. */
function proofWanted({ cnf }: JsonObject): 'dpop' | 'certificate' | null {
  if (!isJsonObject(cnf)) return null
  return cnf['jkt'] === undefined ? 'certificate' : 'dpop'
}

/** For all scopes: the lines of a consent page, by the same code as the page. */
export const askedScopes = ({ scopes }: Authority['admin']): ActionPlan<{ readonly id: string }> => ({
  on: 'collection',
  scope: 'admin:scopes:read',
  summary: 'Say what people would read on the page that asks them to allow these scopes',
  body: Type.Object({
    scope: Type.String({ minLength: 1, maxLength: 4096, description: 'Names separated by spaces' }),
    language: Type.Optional(Type.Enum([...uiLocales])),
  }),
  example: { scope: 'openid profile invoices:read', language: 'en' },
  async run({ scope, language: tag = 'en' }: { readonly scope: string; readonly language?: LanguageTag }, context) {
    const asked = parseScope(scope)
    if (asked === null) {
      const problems = [{ field: 'scope', problem: 'must be names separated by single spaces' }]
      return adminProblem({ reason: 'invalid', problems })
    }
    const held = await scopes.list(tenantOf(context))
    if (held.kind === 'error') return adminProblem(held.error)
    const entries = new Map<string, ScopeEntry>(
      [...builtInScopes, ...held.value.map(({ value }) => value)].map((it) => [it.name, it]),
    )
    const isKnown = (name: string): boolean => entries.has(name) || oidcScopeNames.includes(name)
    const language = languages[tag]
    return {
      language: language.tag,
      lines: inReadingOrder(new Set([...asked].filter(isKnown))).map((name) => {
        const entry = entries.get(name) ?? null
        return {
          scope: name,
          text: scopeWords(language, name, entry),
          sensitive: entry?.sensitivity === 'high',
          optional: entry?.mode === 'optional',
        }
      }),
      unknown: [...asked].filter((name) => !isKnown(name)),
    }
  },
})
