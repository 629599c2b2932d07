/** Step up authentication (RFC 9470): dangerous acts are done by people who have just signed in with two factors. */
import type { ActionPlan, Collection, RequestContext, StoredResource } from '@grantor/api'
import { meetsAcr } from '@grantor/protocol/authorize'
import { proofAlgorithms } from '@grantor/protocol/dpop'
import { bearerChallenge, dpopChallenge, problem, type Problem } from '@grantor/protocol/http'
import { isJsonObject, type Instant, type JsonObject } from '@grantor/protocol/types'
import type { Caller } from '@grantor/resource'
import { actorOf } from '../admin-problem.ts'
import { dangerousActs } from './dangerous-acts.ts'

/** Two factors; a passkey is more. */
const strong = 'urn:grantor:acr:2fa'
/** Seconds since they signed in. */
const fresh = 300

/**
 * The challenge that a person gets who has not; null where the act may go on. A client that acts for itself has nobody
 * to ask: it holds the scope because an owner gave it this one, by name.
 */
export function signInChallenge(caller: Caller, now: Instant): Problem | null {
  // Whoever has the machine needs no token, and is asked for none.
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

/** The same collection, whose dangerous acts ask first. */
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
