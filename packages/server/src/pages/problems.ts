/** The list of every error code that has a page: those of OAuth and OpenID Connect, and the problem types of an API. */
import { apiProblems } from './problems/api.ts'
import { authorizeProblems } from './problems/authorize.ts'
import type { ProblemText } from './problems/text.ts'
import { tokenProblems } from './problems/token.ts'

export type { ProblemText } from './problems/text.ts'

export const problems: readonly ProblemText[] = [...authorizeProblems, ...tokenProblems, ...apiProblems]

const byCode: ReadonlyMap<string, ProblemText> = new Map(problems.map((problem) => [problem.code, problem]))

export const problemOf = (code: string): ProblemText | null => byCode.get(code) ?? null
