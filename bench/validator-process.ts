/**
 * A process with many validators, forked by `propagation.ts`. It gets a token, and reports when all validators accept
 * it, and then when each of them first refuses it.
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

/** `refused`: for each validator the time of its first refusal, by the clock of `monotonicMillis`. */
export type ProcessReport =
  | { readonly ready: true }
  | { readonly accepted: true }
  | { readonly refused: readonly number[] }

/** CLOCK_MONOTONIC, which all processes of a Linux machine share; performance.now() starts at 0 in each process. */
export const monotonicMillis = (): number => Number(process.hrtime.bigint()) / 1e6

/** Milliseconds after which a run has failed. */
const bound = 30_000

let validators: readonly Validator[] = []

if (process.send !== undefined) {
  process.on('message', (command: ProcessCommand) => {
    // The exit tells the parent process that the measurement has failed.
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

/** Checks about every millisecond, as a request would: a refusal is seen up to 1 ms late, never early. */
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
