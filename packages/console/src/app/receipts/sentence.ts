/** A receipt in phrases: how many have stopped it, and what becomes of the others. */
import type { Receipt } from '../../api/receipts.ts'
import { receipts } from '../../messages/receipts.ts'
import type { Language } from '../../messages/words.ts'
import type { Say } from '../../ui/preferences.tsx'

type Counts = Pick<
  Receipt,
  'validators' | 'acknowledged' | 'waiting' | 'closed' | 'not_acknowledging' | 'slowest_ms' | 'closes_at'
>

export function receiptPhrases(receipt: Counts, say: Say, language: Language): readonly string[] {
  const { validators: all, acknowledged: n = 0, waiting = 0, closed = 0, not_acknowledging: mute = 0 } = receipt
  if (all === undefined) return [say(receipts.gone)]
  if (all === 0) return [say(receipts.nobody)]
  const { slowest_ms: slowest, closes_at: closes } = receipt
  const stopped = say(all === 1 ? receipts.stoppedOne : receipts.stopped, { n, all })
  const pace = slowest === undefined ? '' : say(receipts.slowest, { span: spanOf(slowest, language) })
  const time = closes === undefined ? '–' : timeOf(closes, language)
  return [
    `${stopped}${pace}`,
    ...(closed === 0 ? [] : [say(receipts.unreachable, { n: closed, time })]),
    ...(waiting === 0 ? [] : [say(receipts.waiting, { n: waiting, time })]),
    ...(mute === 0 ? [] : [say(receipts.mute, { n: mute })]),
  ]
}

export const receiptSentence = (receipt: Counts, say: Say, language: Language): string =>
  receiptPhrases(receipt, say, language).join('; ')

/** With the zone: what is read here is told to others. */
const timeOf = (at: string, language: Language): string =>
  new Date(at).toLocaleTimeString(language, {
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  })

function spanOf(milliseconds: number, language: Language): string {
  const [unit, count] =
    milliseconds < 1000 ? (['millisecond', milliseconds] as const) : (['second', milliseconds / 1000] as const)
  return new Intl.NumberFormat(language, { style: 'unit', unit, maximumFractionDigits: 1 }).format(count)
}
