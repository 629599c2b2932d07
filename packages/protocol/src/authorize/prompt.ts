/** The `prompt` parameter: OIDC Core §3.1.2.1. */
import type { Refusal } from '../oauth/refusal.ts'
import { err, ok, type Result } from '../result.ts'

export const prompts = Object.freeze(['none', 'login', 'consent', 'select_account'] as const)
export type Prompt = (typeof prompts)[number]

/** §3.1.2.1: `none` beside any other value is an error; so is an unknown value, because it could not be honoured. */
export function parsePrompt(text: string | undefined): Result<readonly Prompt[], Refusal> {
  if (text === undefined) return ok([])
  const requested = new Set(text.split(' '))
  const known = prompts.filter((prompt) => requested.has(prompt))
  const contradictory = known.length !== requested.size || (requested.has('none') && requested.size > 1)
  return contradictory ? err({ reason: 'prompt_contradictory' }) : ok(known)
}
