/** The client's side of RFC 8628 §3.4 and §3.5: polls at the interval that the server asks for. */
import { setTimeout as sleep } from 'node:timers/promises'
import { deviceGrant } from '@grantor/protocol/grants'
import { err, type Result } from '@grantor/protocol/result'
import {
  type Configuration,
  type DeviceAuthorizationResponse,
  type DPoPHandle,
  genericGrantRequest,
  type TokenEndpointResponse,
} from 'openid-client'
import { answered, type IssuerRefusal } from './issuer-client.ts'

export interface PendingDevice extends DeviceAuthorizationResponse {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Longest pause between polls of a server that does not answer, in seconds. */
const slowest = 60

export interface Clock {
  now(): number
  sleep(milliseconds: number): Promise<void>
}
const wallClock: Clock = { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds) }

/** Our own loop, because the library's loop ends at the first outage. */
export async function awaitDecision(
  config: Configuration,
  { device_code: deviceCode, expiresAt, ...pending }: PendingDevice,
  { clock = wallClock, ...proof }: { readonly clock?: Clock; readonly DPoP?: DPoPHandle } = {},
): Promise<Result<TokenEndpointResponse, IssuerRefusal>> {
  // §3.2: 5 seconds if the server names no interval.
  let interval = Math.max(1, pending.interval ?? 5)
  while (clock.now() + interval * 1000 < expiresAt) {
    await clock.sleep(interval * 1000)
    const request = genericGrantRequest(config, deviceGrant, { device_code: deviceCode }, proof)
    const answer = await answered(request).catch(() => null)
    if (answer?.kind === 'ok') return answer
    // §3.5: exponential backoff while the server does not answer.
    if (answer === null || answer.error.status >= 500 || answer.error.status === 429)
      interval = Math.min(interval * 2, slowest)
    // §3.5: "by 5 seconds for this and all subsequent requests".
    else if (answer.error.error === 'slow_down') interval += 5
    else if (answer.error.error !== 'authorization_pending') return answer
  }
  return err({ status: 400, error: 'expired_token', description: null })
}
