/** Answers of the shared signals endpoints: plain JSON, and errors in the form of RFC 8935 §2.4. */
import { type QuotaDecision, quotaHeaders } from '@grantor/protocol/http'
import { refusalResponse } from '@grantor/protocol/oauth'
import type { Responder } from '../http/responder.ts'

/** An answer, before it is written. */
export interface SsfAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** The milliseconds that a poll waited for something to tell. */
  readonly waited?: number
}

export const ssfAnswer = (status: number, document: unknown, headers: SsfAnswer['headers'] = {}): SsfAnswer =>
  document === null
    ? { status, headers: { 'cache-control': 'no-store', ...headers }, body: null }
    : {
        status,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers },
        body: JSON.stringify(document),
      }

export const ssfRefusal = (
  error: { readonly status: number; readonly err: string; readonly description: string },
  headers: SsfAnswer['headers'] = {},
): SsfAnswer =>
  // RFC 8935 §2.3: the language of the description.
  ssfAnswer(error.status, { err: error.err, description: error.description }, { 'content-language': 'en', ...headers })

export const withQuota = (answer: SsfAnswer, quota: QuotaDecision | null): SsfAnswer =>
  quota === null ? answer : { ...answer, headers: { ...answer.headers, ...quotaHeaders([quota]) } }

export function ssfResponder(responder: Responder): Responder {
  return {
    ...responder,
    tells: 'problems',
    refuse(reply, why) {
      const { status, error, error_description: description, headers } = refusalResponse(why)
      responder.meter.refused(why.reason)
      const answer = ssfRefusal({ status, err: error, description }, headers)
      return responder.send(reply, answer.status, answer.body, answer.headers)
    },
    fail(reply, id) {
      const description = `Something failed on our side. When you report it, name ${id}.`
      const answer = ssfRefusal({ status: 500, err: 'server_error', description })
      return responder.send(reply, answer.status, answer.body, answer.headers)
    },
  }
}
