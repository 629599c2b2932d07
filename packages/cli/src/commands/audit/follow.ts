/** Prints new events, in order and without gaps, until the process is told to stop. */
import type { Admin } from '@grantor/authority'
import { eventDocument } from '@grantor/protocol/events'
import { eventLine } from '../../documents/event.ts'
import type { CommandContext } from '../../program/command.ts'
import { adminFailure, done, type ExitResult } from '../../program/exit.ts'

const page = 500

export async function followEvents(
  context: CommandContext,
  events: Admin['events'],
  last: number | null,
): Promise<ExitResult> {
  const stop = new AbortController()
  let wake = (): void => undefined
  stop.signal.addEventListener('abort', () => wake())
  const unwatch = events.watch(() => wake())
  void context.environment.stopped().then(() => stop.abort())
  try {
    for (let seq = last ?? 0; !stop.signal.aborted;) {
      // Created before the read, so that events sealed during the read wake the next round.
      const woken = new Promise<void>((resolve) => void (wake = resolve))
      const read = await events.after(context.tenant, seq, page)
      if (read.kind === 'error') return adminFailure(read.error)
      for (const event of read.value) await context.out.line(eventDocument(event), eventLine(event, context.out.style))
      seq = read.value.at(-1)?.seq ?? seq
      if (read.value.length < page && !stop.signal.aborted) await woken
    }
    return done
  } finally {
    unwatch()
  }
}
