/** The admin API for an operator at the machine itself: the same declarations, in process, without a token. */
import type { Actor } from '@grantor/protocol/events'
import { err, ok } from '@grantor/protocol/result'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { issuerScopes } from '@grantor/protocol/oauth'
import type { Caller, Validator } from '@grantor/resource'
import type { Deployment } from '../../compose.ts'
import { untilAcknowledgeable } from '../../http/acknowledgement.ts'
import { defaultTenant } from '../../issuer.ts'
import { openMeters } from '../../metrics/meters.ts'
import { operatorCaller } from '../admin-problem.ts'
import { adminApis } from '../api.ts'
import type { ApiIssuer } from '../validator.ts'

export interface OperatorRequest {
  readonly method: string
  /** Path and query below the issuer: `/v1/users?limit=1`. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

export interface OperatorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface OperatorApi {
  handle(request: OperatorRequest): Promise<OperatorAnswer>
  close(): Promise<void>
}

export interface Operator {
  readonly actor: Actor
  readonly tenant: TenantId
  /** Called with thrown errors, which are defects of ours. */
  onError(error: unknown): void
}

export function operatorApi(
  deployment: Pick<Deployment, 'authority' | 'issuer' | 'cursorSecret' | 'settings' | 'store'>,
  { actor, tenant, onError }: Operator,
): OperatorApi {
  const validatorOf = (home: ApiIssuer): Validator => operatorValidator(home, actor)
  const log = { error: (fields: unknown) => onError((fields as { readonly error?: unknown }).error) }
  const apis = adminApis({ ...deployment, meters: openMeters(), log, validatorOf })
  const base = tenant === defaultTenant ? '' : `/t/${tenant}`
  const { host } = new URL(deployment.issuer.of(tenant))
  return {
    async handle({ method, target, headers, body }) {
      const bytes = new TextEncoder().encode(body ?? '')
      const answer = await apis.of(tenant).handle({
        method,
        target: `${base}${target}`,
        headers: [['host', host], ...Object.entries(headers)],
        ip: null,
        body: (limit) => Promise.resolve(bytes.length > limit ? err('too_large') : ok(bytes)),
      })
      await untilAcknowledgeable(method, answer, deployment.store)
      return {
        status: answer.status,
        headers: answer.headers,
        body: typeof answer.body === 'string' ? answer.body : '',
      }
    },
    close: () => apis.close(),
  }
}

/** Accepts every request as the operator's: only the process that made it can reach it. */
function operatorValidator({ tenant, issuer }: ApiIssuer, actor: Actor): Validator {
  const caller: Caller = operatorCaller(
    {
      credential: 'access_token',
      issuer,
      tenant: tenant === defaultTenant ? null : tenant,
      subject: actor.id ?? 'operator',
      clientId: 'grantor-cli',
      scope: issuerScopes,
      authorizationDetails: [],
      jti: 'operator',
      grantId: null,
      claims: {},
      expiresAt: Number.MAX_SAFE_INTEGER as Instant,
    },
    actor,
  )
  return {
    validate: () => ok(caller),
    record: () => {},
    ready: () => true,
    whenReady: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
