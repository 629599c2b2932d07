/** The client's side of RFC 8628: ask for a code, show it, and poll as slowly as one is told to. */
import { setTimeout as sleep } from 'node:timers/promises'
import { deviceGrant } from '@grantor/protocol/grants'
import { type Answer, type Ask, numberIn, textIn } from './ask.ts'

export interface Waiting {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  readonly complete: string | null
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  /** Seconds. */
  readonly interval: number
}

/** RFC 8628 §3.2; null where the answer lacks what it must have. */
export function waitingFrom({ status, body }: Answer, now: number): Waiting | null {
  const [deviceCode, userCode] = [textIn(body, 'device_code'), textIn(body, 'user_code')]
  const verificationUri = textIn(body, 'verification_uri')
  const expiresIn = numberIn(body, 'expires_in')
  if (status !== 200 || deviceCode === null || userCode === null || verificationUri === null || expiresIn === null)
    return null
  return {
    deviceCode,
    userCode,
    verificationUri,
    complete: textIn(body, 'verification_uri_complete'),
    expiresAt: now + expiresIn * 1000,
    // §3.2: 5 where nothing is said.
    interval: Math.max(1, numberIn(body, 'interval') ?? 5),
  }
}

export type Decided =
  | { readonly did: 'allowed'; readonly answer: Answer }
  | { readonly did: 'denied' | 'expired' }
  | { readonly did: 'refused'; readonly answer: Answer }

/** Longest pause after answers that never came. */
const slowest = 60

export interface Clock {
  now(): number
  sleep(milliseconds: number): Promise<void>
}
const wallClock: Clock = { now: () => Date.now(), sleep: (milliseconds) => sleep(milliseconds) }

export async function awaitDecision(
  waiting: Waiting,
  at: { readonly token: string; readonly clientId: string },
  { ask, clock = wallClock }: { readonly ask: Ask; readonly clock?: Clock },
): Promise<Decided> {
  const form = { grant_type: deviceGrant, device_code: waiting.deviceCode, client_id: at.clientId }
  let { interval } = waiting
  while (clock.now() + interval * 1000 < waiting.expiresAt) {
    await clock.sleep(interval * 1000)
    const answer = await ask(at.token, { form }).catch(() => null)
    // §3.5: a server that does not answer is asked more and more slowly.
    if (answer === null || answer.status >= 500 || answer.status === 429) {
      interval = Math.min(interval * 2, slowest)
      continue
    }
    if (answer.status === 200) return { did: 'allowed', answer }
    switch (textIn(answer.body, 'error')) {
      case 'authorization_pending':
        break
      case 'slow_down':
        // §3.5: "by 5 seconds for this and all subsequent requests".
        interval += 5
        break
      case 'access_denied':
        return { did: 'denied' }
      case 'expired_token':
        return { did: 'expired' }
      case null:
      default:
        return { did: 'refused', answer }
    }
  }
  return { did: 'expired' }
}
