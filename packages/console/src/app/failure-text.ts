/** What a person reads of something that was not done. */
import { frame } from '../messages/frame.ts'
import type { Say } from '../ui/preferences.tsx'

/** `fetch` throws a TypeError where nobody answered, in words of the browser that tell nothing. */
export function failureText(error: unknown, say: Say): string {
  if (error instanceof TypeError) return say(frame.unreachable)
  return error instanceof Error ? error.message : String(error)
}
