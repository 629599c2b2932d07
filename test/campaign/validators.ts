/** The validators of a campaign: they check live and recently revoked tokens, and their verdicts are recorded. */
import { setTimeout } from 'node:timers/promises'
import type { TestValidator } from '../clocks/deployment.ts'
import type { KnownToken, Load } from './clients.ts'

export async function probe(load: Load, validator: TestValidator, index: number): Promise<void> {
  while (!load.signal.aborted) {
    for (const known of [...load.dead.slice(-20), ...load.alive.slice(-3)])
      await judge(load, validator, { index, known })
    await setTimeout(100)
  }
}

interface Judged {
  readonly index: number
  readonly known: KnownToken
}

export async function judge(
  { recorder }: Pick<Load, 'recorder'>,
  validator: TestValidator,
  { index, known: { jti, token } }: Judged,
): Promise<string> {
  const asked = recorder.now()
  const verdict = await validator.verdict(token)
  recorder.add({ kind: 'validated', validator: index + 1, jti, verdict, asked, at: recorder.now() })
  return verdict
}
