/** The list of every error code that has a page: those of OAuth and OpenID Connect, and the problem types of an API. */
import { problemTypeOf } from '@grantor/protocol/http'
import { apiProblems } from './api.ts'
import { authorizeProblems } from './authorize.ts'
import type { ProblemText } from './text.ts'
import { tokenProblems } from './token.ts'

export type { ProblemText } from './text.ts'

export const problems: readonly ProblemText[] = [...authorizeProblems, ...tokenProblems, ...apiProblems]

const byCode: ReadonlyMap<string, ProblemText> = new Map(problems.map((problem) => [problem.code, problem]))

/** The text of an OAuth error code, of a problem type, or of a `code` that a problem type comes with. */
export function problemOf(code: string): ProblemText | null {
  return byCode.get(code) ?? byCode.get(problemTypeOf(code)?.slug ?? '') ?? null
}
