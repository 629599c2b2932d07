/** The list of every error code that has a page: those of OAuth and OpenID Connect, and the problem types of an API. */
import { type ProblemSlug, problemTypeOf, problemTypes } from '@grantor/protocol/http'
import type { RefusalError } from '@grantor/protocol/oauth'
import { apiProblems } from './api.ts'
import { authorizeProblems } from './authorize.ts'
import type { ProblemText, SourcedExplanation } from './text.ts'
import { tokenProblems } from './token.ts'

export type { ProblemText } from './text.ts'

/** The type check fails if a refusal has an error code without a page. */
const oauthProblems = { ...authorizeProblems, ...tokenProblems } satisfies Record<RefusalError, SourcedExplanation>

export const problems: readonly ProblemText[] = [
  ...Object.entries(oauthProblems).map(([code, text]) => ({
    code,
    family: code in tokenProblems ? ('token' as const) : ('authorize' as const),
    status: null,
    ...text,
  })),
  ...(Object.keys(problemTypes) as ProblemSlug[]).map((code) => ({
    code,
    family: 'api' as const,
    status: String(problemTypes[code].status),
    source: 'RFC 9457, the conventions of this service',
    ...apiProblems[code],
  })),
]

const byCode: ReadonlyMap<string, ProblemText> = new Map(problems.map((problem) => [problem.code, problem]))

/** The text of an OAuth error code, of a problem type, or of a `code` of a problem type. */
export function problemOf(code: string): ProblemText | null {
  return byCode.get(code) ?? byCode.get(problemTypeOf(code)?.slug ?? '') ?? null
}
