/** A receipt in one sentence. */
import type { Receipt } from '../../api/receipts.ts'
import { receipts } from '../../messages/receipts.ts'
import type { Language } from '../../messages/words.ts'
import type { Say } from '../../ui/preferences.tsx'

type Counts = Pick<Receipt, 'validators' | 'acknowledged' | 'waiting' | 'closed' | 'slowest_ms' | 'closes_at'>

export function receiptSentence(receipt: Counts, say: Say, language: Language): string {
  const { validators, acknowledged, waiting, closed, slowest_ms: slowest, closes_at: closes } = receipt
  if (validators === 0) return say(receipts.nobody)
  const time = closes === undefined ? '–' : new Date(closes).toLocaleTimeString(language)
  return [
    say(receipts.stopped, { n: acknowledged, all: validators }),
    slowest === undefined ? '' : say(receipts.slowest, { ms: slowest }),
    closed === 0 ? '' : say(receipts.unreachable, { n: closed, time }),
    waiting === 0 ? '' : say(receipts.waiting, { n: waiting, time }),
  ].join('')
}
