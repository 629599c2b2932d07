/** `--wait`: follows a revocation until every validator has applied it or refuses everything. */
import { setTimeout as pause } from 'node:timers/promises'
import { ok } from '@grantor/protocol/result'
import { isJsonObject, type Json, type JsonObject } from '@grantor/protocol/types'
import type { CommandContext, CommandOption } from '../program/command.ts'
import type { CommandResult } from '../program/exit.ts'
import type { AdminAnswer, AdminCall } from './admin-call.ts'

export const waitOption: CommandOption = {
  flag: '--wait',
  description: 'wait until every validator has stopped it, and say how long that took',
}

/** Milliseconds: the first pause between polls, the longest, and the factor by which each pause grows. */
const [lookAgain, atLeast, longer] = [250, 2000, 1.5]

/** Null without `--wait`, or if nothing was revoked. */
export async function awaitReceipt(
  { options, out }: CommandContext,
  call: AdminCall,
  { status }: Pick<AdminAnswer, 'status'>,
): Promise<CommandResult<JsonObject | null>> {
  if (!options.has(waitOption.flag) || status === null) return ok(null)
  const found = await call({ method: 'GET', path: status })
  if (found.kind === 'error') return found
  const { items } = found.value.document
  const [newest] = Array.isArray(items) ? (items as readonly Json[]) : []
  if (!isJsonObject(newest) || typeof newest['id'] !== 'string') return ok(null)
  const path = `revocations/${newest['id']}`
  return out.progress('waiting for validators', async (report): Promise<CommandResult<JsonObject>> => {
    for (let [receipt, rest] = [newest, lookAgain]; ; rest = Math.min(atLeast, rest * longer)) {
      const { waiting, validators } = countsIn(receipt)
      if (waiting === 0) return ok(receipt)
      report(validators - waiting, validators)
      await pause(rest)
      const again = await call({ method: 'GET', path })
      if (again.kind === 'error') return again
      receipt = again.value.document
    }
  })
}

/**
 * For example `37 of 39 validators stopped it, slowest 41 ms; 2 unreachable, closed by their own bound at 12:00:05Z`.
 */
export function receiptSentence(receipt: JsonObject): string {
  const { validators, acknowledged, waiting, closed, mute } = countsIn(receipt)
  if (receipt['validators'] === undefined) return 'not kept any more: receipts are kept for a day'
  if (validators === 0) return 'nobody reads the feed; whoever asks the server refuses it from now on'
  const { slowest_ms: slowest, closes_at: closes } = receipt
  const noun = validators === 1 ? 'validator' : 'validators'
  const pace = typeof slowest === 'number' ? `, slowest ${spanOf(slowest)}` : ''
  const bound = typeof closes === 'string' ? ` at ${closes.replace(/^.*T([\d:]+).*$/, '$1Z')}` : ''
  const silent = [
    ...(closed === 0 ? [] : [`; ${closed} unreachable, closed by their own bound${bound}`]),
    ...(waiting === 0 ? [] : [`; ${waiting} not heard from, closed by their own bound${bound} at the latest`]),
    ...(mute === 0 ? [] : [`; ${mute} of these without any acknowledgements`]),
  ]
  return `${acknowledged} of ${validators} ${noun} stopped it${pace}${silent.join('')}`
}

const spanOf = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`

function countsIn(receipt: JsonObject) {
  const count = (name: string): number => (typeof receipt[name] === 'number' ? receipt[name] : 0)
  return {
    validators: count('validators'),
    acknowledged: count('acknowledged'),
    waiting: count('waiting'),
    closed: count('closed'),
    mute: count('not_acknowledging'),
  }
}
