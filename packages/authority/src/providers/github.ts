/**
 * GitHub supports OAuth only: its API is asked who the person is, with their token; people are identified by number,
 * not by name.
 */
import { acrValues } from '@grantor/protocol/authorize'
import type { StoredProvider } from '@grantor/protocol/providers'
import { ok, type Result } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import { readJson } from '@grantor/protocol/http'
import type { Clock } from '../ports/environment.ts'
import type { Outbound } from '../ports/outbound.ts'
import { answerProblem, type AnswerProblem, type UpstreamAnswer } from './answer.ts'
import { mostDocumentBytes, providerCause, type Upstream } from './upstream.ts'

interface GithubTokens {
  readonly provider: StoredProvider
  readonly upstream: Upstream
  readonly tokens: JsonObject
}

const types = ['application/json', 'application/vnd.github+json']

export async function githubAnswer(
  { provider, upstream, tokens }: GithubTokens,
  { clock, outbound }: { readonly clock: Clock; readonly outbound: Outbound },
): Promise<Result<UpstreamAnswer, AnswerProblem>> {
  const { access_token: bearer } = tokens
  // GitHub answers a refused code with 200 and an error.
  if (typeof bearer !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(bearer)) return answerProblem('token_endpoint_answer')
  const api = async (path: string): Promise<Json> => {
    const url = `${upstream.userinfo}${path}`
    const answer = await outbound.fetch({ url, types, maxBytes: mostDocumentBytes, cause: providerCause, bearer })
    const read = answer.kind === 'ok' ? readJson(Buffer.from(answer.value.body).toString('utf8')) : null
    return read?.kind === 'ok' ? read.value : null
  }
  const user = await api('/user')
  if (!isJsonObject(user)) return answerProblem('user_api', true)
  const { id: number } = user
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) return answerProblem('user_api')
  const id = String(number)
  return ok({
    name: { provider: provider.id, issuer: upstream.issuer, upstreamSubject: id },
    strength: { acr: acrValues[0], amr: [] },
    at: clock.now(),
    sid: null,
    async more() {
      const { login = null, name = null } = user
      return ok({
        sub: id,
        login,
        ...(name === null ? {} : { name }),
        ...primaryAddress(await api('/user/emails')),
      })
    },
  })
}

/** The primary address, only if GitHub verified it. */
function primaryAddress(emails: Json): JsonObject {
  const all = Array.isArray(emails) ? emails.filter(isJsonObject) : []
  const primary = all.find((it) => it['primary'] === true && it['verified'] === true)
  return typeof primary?.['email'] === 'string' ? { email: primary['email'], email_verified: true } : {}
}
