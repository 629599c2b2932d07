/** Refusals at the paths of SCIM in the form of RFC 7644 §3.12, also those made before the service is reached. */
import { type QuotaDecision, quotaHeaders } from '@grantor/protocol/http'
import { refusalResponse } from '@grantor/protocol/oauth'
import { type ScimError, scimErrorDocument, scimMediaType } from '@grantor/protocol/scim'
import type { Responder } from '../http/responder.ts'

/** An answer of the service, before it is written. */
export interface ScimAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

const always = { 'content-type': scimMediaType, 'cache-control': 'no-store' }

export const scimAnswer = (status: number, document: object | null, headers: ScimAnswer['headers'] = {}): ScimAnswer =>
  document === null
    ? { status, headers: { 'cache-control': 'no-store', ...headers }, body: null }
    : { status, headers: { ...always, ...headers }, body: JSON.stringify(document) }

export const scimRefusal = (error: ScimError, headers: ScimAnswer['headers'] = {}): ScimAnswer =>
  scimAnswer(error.status, scimErrorDocument(error), headers)

export const withQuota = (answer: ScimAnswer, quota: QuotaDecision | null): ScimAnswer =>
  quota === null ? answer : { ...answer, headers: { ...answer.headers, ...quotaHeaders([quota]) } }

export function scimResponder(responder: Responder): Responder {
  const tell = <R extends Parameters<Responder['send']>[0]>(reply: R, { status, headers, body }: ScimAnswer): R =>
    responder.send(reply, status, body, headers)
  return {
    ...responder,
    tells: 'problems',
    refuse(reply, why) {
      const { status, error_description: detail, headers } = refusalResponse(why)
      responder.meter.refused(why.reason)
      return tell(reply, scimRefusal({ status, detail }, headers))
    },
    fail: (reply, id) =>
      tell(
        reply,
        scimRefusal({ status: 500, detail: `Something failed on our side. When you report it, name ${id}.` }),
      ),
  }
}
