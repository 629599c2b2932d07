/**
 * A process full of validators, as `propagation.ts` forks it. Told a token, it says when every one of them accepts it,
 * then when each of them first refuses.
 */
import { setTimeout as after } from 'node:timers/promises'
import { createValidator, type Validator } from '@grantor/resource'

export interface ValidatorsPlan {
  readonly count: number
  readonly issuer: string
  readonly ca: string
  readonly audience: string
  readonly credentials: { readonly clientId: string; readonly clientSecret: string }
}

export type ProcessCommand = { readonly plan: ValidatorsPlan } | { readonly watch: string }

/** `refused`: when, by the clock of `monotonicMillis`, one for each validator. */
export type ProcessReport =
  | { readonly ready: true }
  | { readonly accepted: true }
  | { readonly refused: readonly number[] }

/** CLOCK_MONOTONIC, which all processes of a Linux machine share; performance.now() counts from each one's own start. */
export const monotonicMillis = (): number => Number(process.hrtime.bigint()) / 1e6

/** For what is broken, not a measurement. */
const bound = 30_000

let validators: readonly Validator[] = []

if (process.send !== undefined) {
  process.on('message', (command: ProcessCommand) => {
    // Whoever forked this is told by the exit that the measurement is over.
    handle(command).catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  })
  process.once('disconnect', () => process.exit(0))
}

async function handle(command: ProcessCommand): Promise<void> {
  if ('plan' in command) {
    validators = made(command.plan)
    await Promise.all(validators.map((validator) => validator.whenReady()))
    return send({ ready: true })
  }
  const authorization = `Bearer ${command.watch}`
  for (const validator of validators) {
    const verdict = await validator.validate({ authorization })
    if (verdict.kind === 'error') throw new Error(`a good token was refused: ${verdict.error.code}`)
  }
  send({ accepted: true })
  send({ refused: await refusals(authorization) })
}

const made = ({ count, issuer, ca, audience, credentials }: ValidatorsPlan): readonly Validator[] =>
  Array.from({ length: count }, () => createValidator({ audience, ca, issuers: [{ issuer, credentials }] }))

/** Looks about every millisecond, as a request would: a refusal is found up to that much too late, never too early. */
async function refusals(authorization: string): Promise<readonly number[]> {
  const waiting = new Set(validators)
  const found: number[] = []
  const deadline = monotonicMillis() + bound
  while (waiting.size > 0) {
    for (const validator of waiting) {
      const verdict = await validator.validate({ authorization })
      if (verdict.kind === 'ok') continue
      if (verdict.error.code !== 'token_revoked') throw new Error(`refused for ${verdict.error.code}`)
      found.push(monotonicMillis())
      waiting.delete(validator)
    }
    if (monotonicMillis() > deadline) throw new Error(`${waiting.size} validators never heard of a revocation`)
    if (waiting.size > 0) await after(1)
  }
  return found
}

const send = (report: ProcessReport): void => void process.send?.(report)
