/** Step up authentication (RFC 9470): dangerous acts need a person who has just signed in with two factors. */
import type { ActionPlan, Collection, RequestContext, StoredResource } from '@grantor/api'
import { meetsAcr } from '@grantor/protocol/authorize'
import { proofAlgorithms } from '@grantor/protocol/dpop'
import { bearerChallenge, dpopChallenge, problem, type Problem } from '@grantor/protocol/http'
import { isJsonObject, type Instant, type JsonObject } from '@grantor/protocol/types'
import type { Caller } from '@grantor/resource'
import { actorOf } from '../admin-problem.ts'
import { dangerousActs } from './dangerous-acts.ts'

/** Two factors; a passkey satisfies it, too. */
const strong = 'urn:grantor:acr:2fa'
/** Most seconds since the sign-in. */
const fresh = 300

/**
 * The challenge to a person whose sign-in does not suffice; null where the act may go on. A client that acts for itself
 * has no person to challenge: it holds the scope because an owner granted it by name.
 */
export function signInChallenge(caller: Caller, now: Instant): Problem | null {
  // An operator at the machine itself has no token, and is not challenged.
  if (actorOf(caller).kind === 'operator') return null
  if (caller.grantId === null && caller.subject === caller.clientId) return null
  const { acr, auth_time: signedInAt, cnf } = caller.claims
  const isFresh = typeof signedInAt === 'number' && now - signedInAt * 1000 <= fresh * 1000
  if (isFresh && typeof acr === 'string' && meetsAcr(acr, strong)) return null
  const challenge = {
    realm: 'Administration',
    error: 'insufficient_user_authentication',
    error_description: 'This act asks for a sign-in with two factors, a few minutes ago at most',
    acr_values: strong,
    max_age: String(fresh),
  } as const
  const isBound = isJsonObject(cnf) && typeof cnf['jkt'] === 'string'
  const header = isBound ? dpopChallenge({ ...challenge, algs: proofAlgorithms.join(' ') }) : bearerChallenge(challenge)
  return problem('insufficient-user-authentication', `${challenge.error_description}.`, {
    headers: { 'www-authenticate': header },
    members: { acr_values: strong, max_age: fresh },
  })
}

/** The same collection, with a challenge before its dangerous acts. */
export function withStepUp(of: Collection): Collection {
  const listed = dangerousActs.filter(({ noun }) => noun === of.name)
  if (listed.length === 0) return of
  const challenged = (act: string, context: RequestContext, about: readonly [JsonObject, JsonObject | null]) => {
    const isDangerous = listed.some((it) => it.act === act && (it.when?.(...about, context.caller.issuer) ?? true))
    return isDangerous ? signInChallenge(context.caller, context.now) : null
  }
  const { create, insert, update, remove } = of.handlers
  const handlers: Collection['handlers'] = {
    ...of.handlers,
    ...(create && {
      create: (body, context) => challenged('create', context, [body, null]) ?? create(body, context),
    }),
    ...(insert && {
      insert: (id, body, context) => challenged('insert', context, [body, null]) ?? insert(id, body, context),
    }),
    ...(update && {
      update: (id, change, context) =>
        challenged('update', context, [change.body, change.before]) ?? update(id, change, context),
    }),
    ...(remove && {
      remove: (id, expected, context) => challenged('remove', context, [{}, null]) ?? remove(id, expected, context),
    }),
  }
  const asking = (name: string, plan: ActionPlan<JsonObject>): ActionPlan<JsonObject> => ({
    ...plan,
    run: (body: never, context: RequestContext, entry: StoredResource<JsonObject> | null) =>
      challenged(name, context, [body, entry?.value ?? null]) ?? plan.run(body, context, entry),
  })
  const actions = new Map([...of.actions].map(([name, it]) => [name, { ...it, plan: asking(name, it.plan) }]))
  return { ...of, handlers, actions }
}
