/** Who acts for the subject of a token, and who acted before: RFC 8693 §4.1, §4.4. */
import type { Refusal } from '../oauth/refusal.ts'
import type { ExchangeRule } from '../registration/exchange-policy.ts'
import { type Json, type JsonObject, jsonObject } from '../types.ts'
import { err, ok, type Result } from '../result.ts'

/** A chain of actors that is longer says less, and costs every API that reads it. */
const mostActors = 4

interface Acting {
  readonly as: ExchangeRule['as']
  /** By the names that `may_act` has for them. */
  readonly acting: { readonly sub: string; readonly client_id: string; readonly iss: string }
  /** Whether the request named the actor by a token. */
  readonly named: boolean
}

/** Who acts now, and inside who acted before. Null where nobody does. */
export function actorChain(claims: JsonObject, { as, acting, named }: Acting): Result<JsonObject | null, Refusal> {
  if (!mayAct(claims['may_act'], acting)) return err({ reason: 'actor_not_allowed' })
  const before = jsonObject(claims['act'])
  // Whoever speaks as the subject alone does not say so; an actor that was named must be.
  if (as === 'impersonate') {
    if (depth(before) > mostActors) return err({ reason: 'actors_too_many' })
    return named ? err({ reason: 'actor_not_allowed' }) : ok(before)
  }
  if (depth(before) >= mostActors) return err({ reason: 'actors_too_many' })
  return ok({ sub: acting.sub, ...(before === null ? {} : { act: before }) })
}

/** RFC 8693 §4.4: where a token says who may act for its subject, nobody else may. */
function mayAct(claim: Json | undefined, acting: Readonly<Record<string, string>>): boolean {
  if (claim === undefined) return true
  const named = Object.entries(jsonObject(claim) ?? {})
  return named.length > 0 && named.every(([name, value]) => acting[name] === value)
}

const depth = (act: JsonObject | null): number => (act === null ? 0 : 1 + depth(jsonObject(act['act'])))
