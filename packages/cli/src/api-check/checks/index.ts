/** The list of checks. Adding one means one entry in the file of its group. */
import type { Check } from '../check.ts'
import { answerChecks } from './answers.ts'
import { challengeChecks } from './challenges.ts'
import { readingChecks } from './reading.ts'
import { requestChecks } from './requests.ts'
import { writingChecks } from './writing.ts'

export const checks: readonly Check[] = [
  ...answerChecks,
  ...challengeChecks,
  ...requestChecks,
  ...readingChecks,
  ...writingChecks,
]
