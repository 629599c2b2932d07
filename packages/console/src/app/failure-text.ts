/** What a person reads of something that was not done. */
import { frame } from '../messages/frame.ts'
import type { Say } from '../ui/preferences.tsx'

/** What the browser throws is in words that tell nothing: a TypeError where nobody answered, and a full storage. */
export function failureText(error: unknown, say: Say): string {
  if (error instanceof TypeError) return say(frame.unreachable)
  if (error instanceof DOMException && error.name === 'QuotaExceededError') return say(frame.tooMuchTyped)
  return error instanceof Error ? error.message : String(error)
}
