/** What the admin API answers when it does not do something: problem details (RFC 9457), with the fields they are about. */

export interface FieldFault {
  /** RFC 6901 as a fragment: `#/redirect_uris/0`. */
  readonly pointer?: string
  readonly parameter?: string
  readonly detail: string
}

export interface ProblemDetails {
  readonly title?: string
  readonly detail?: string
  readonly code?: string
  readonly errors?: readonly FieldFault[]
}

export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly details: ProblemDetails

  constructor(status: number, details: ProblemDetails) {
    super(details.detail ?? details.title ?? `The server answered ${status}.`)
    this.status = status
    this.details = details
  }
}

/** Of an answer whose body was read already, or could not be. */
export function problemOf(status: number, body: unknown): ApiProblem {
  const details = typeof body === 'object' && body !== null ? (body as ProblemDetails) : {}
  return new ApiProblem(status, details)
}

/** Worth another try: the server is restarting, out of reach or busy. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiProblem ? [429, 502, 503, 504].includes(error.status) : error instanceof TypeError

/** The faults of a form, by the name of their field; what is about no field is under the empty name. */
export function faultsByField(problem: ApiProblem): ReadonlyMap<string, string> {
  const faults = new Map<string, string>()
  for (const { pointer, parameter, detail } of problem.details.errors ?? []) {
    const field = pointer === undefined ? (parameter ?? '') : fieldIn(pointer)
    faults.set(field, [faults.get(field), detail].filter((it) => it !== undefined).join(' '))
  }
  return faults
}

const fieldIn = (pointer: string): string =>
  decodeURIComponent(pointer.replace(/^#?\//, '')).split('/', 1).join('').replaceAll('~1', '/').replaceAll('~0', '~')

/** The same about the members of one member, whose faults stand at fields of their own. */
export function withoutMember(problem: ApiProblem, member: string): ApiProblem {
  const below = new RegExp(`^#?/${member}[/.]`)
  const errors = problem.details.errors?.map((fault) => ({
    ...fault,
    ...(fault.pointer === undefined ? {} : { pointer: fault.pointer.replace(below, '#/') }),
  }))
  return new ApiProblem(problem.status, { ...problem.details, ...(errors === undefined ? {} : { errors }) })
}
