/** The actor for the subject of a token, and the earlier actors: RFC 8693 §4.1, §4.4. */
import type { Refusal } from '../oauth/refusal.ts'
import type { ExchangeRule } from '../registration/exchange-policy.ts'
import { type Json, type JsonObject, jsonObject } from '../types.ts'
import { err, ok, type Result } from '../result.ts'

/** A longer chain is less useful, and costs every API that reads it. */
const mostActors = 4

interface Acting {
  readonly as: ExchangeRule['as']
  /** With the member names of `may_act`. */
  readonly acting: { readonly sub: string; readonly client_id: string; readonly iss: string }
  /** Whether the request named the actor by a token. */
  readonly named: boolean
}

/** The present actor, with the earlier actors nested inside. Null where there is none. */
export function actorChain(claims: JsonObject, { as, acting, named }: Acting): Result<JsonObject | null, Refusal> {
  if (!mayAct(claims['may_act'], acting)) return err({ reason: 'actor_not_allowed' })
  const before = jsonObject(claims['act'])
  // With impersonation the actor is not recorded; an actor that the request named must be.
  if (as === 'impersonate') {
    if (depth(before) > mostActors) return err({ reason: 'actors_too_many' })
    return named ? err({ reason: 'actor_not_allowed' }) : ok(before)
  }
  if (depth(before) >= mostActors) return err({ reason: 'actors_too_many' })
  return ok({ sub: acting.sub, ...(before === null ? {} : { act: before }) })
}

/** RFC 8693 §4.4: if a token names who may act for its subject, nobody else may. */
function mayAct(claim: Json | undefined, acting: Readonly<Record<string, string>>): boolean {
  if (claim === undefined) return true
  const named = Object.entries(jsonObject(claim) ?? {})
  return named.length > 0 && named.every(([name, value]) => acting[name] === value)
}

const depth = (act: JsonObject | null): number => (act === null ? 0 : 1 + depth(jsonObject(act['act'])))
