/** Faults that keep a validator from its work, each reported once when it begins and once when it is over. */
import { reportPath } from '@grantor/protocol/events'
import { feedPaths } from '@grantor/protocol/feed'
import type { Concern, OutboundObserver, OutboundRequest, SeenAnswer } from './outbound.ts'

/** Each kind of fault, in words that may stand on a public page. */
export const issuerFaultReasons = {
  issuer_unreachable: 'The issuer cannot be reached.',
  certificate_untrusted: "The issuer's TLS certificate is not trusted here.",
  client_refused: "The issuer refuses this API's own client.",
  unexpected_answer: 'The issuer answers with something else than it should.',
  clock_differs: "The clocks here and at the issuer differ by more than the validator's leeway.",
} as const
export type IssuerFaultCode = keyof typeof issuerFaultReasons

export interface IssuerFault {
  readonly issuer: string
  readonly code: IssuerFaultCode
  /** For the operator, with the remedy where one is known. Holds no secret. */
  readonly message: string
  /** `over`: the fault was reported before, and has ended. */
  readonly state: 'begun' | 'over'
}

/** Error codes of Node for a certificate of an unknown authority; the remedy is `ca`. */
const noAuthority: ReadonlySet<string> = new Set([
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_UNTRUSTED',
])
const isCertificateFault = (code: string): boolean => noAuthority.has(code) || /CERT|ALTNAME/.test(code)

/** The default for `onTrouble`. */
export const sayOnStderr = ({ issuer, message, state }: IssuerFault): void =>
  console.error(state === 'begun' ? `grantor: ${issuer}: ${message}` : `grantor: ${issuer}: over: ${message}`)

export interface IssuerFaultsOptions {
  readonly issuer: string
  readonly onFault: (fault: IssuerFault) => void
  /** Milliseconds. */
  readonly leeway: number
}

interface ActiveFault {
  readonly fault: IssuerFault
  /** The fault also ends with this concern: the host that could not be reached may never be asked again. */
  readonly of: string | null
}

/** The faults of one issuer: observes every request to it and to its tenants. */
export class IssuerFaults implements OutboundObserver {
  readonly #options: IssuerFaultsOptions
  /** By the subject of the fault: an origin, a part of an issuer, a fixed address, or the clock. */
  readonly #active = new Map<string, ActiveFault>()
  /** Addresses whose last answer refused our own token. The first refusal may be due to an old token. */
  readonly #refusedOnce = new Set<string>()
  #closed = false

  constructor(options: IssuerFaultsOptions) {
    this.#options = options
  }

  /** One of each kind. */
  current(): readonly IssuerFault[] {
    const byCode = new Map<IssuerFaultCode, IssuerFault>()
    for (const { fault } of this.#active.values()) if (!byCode.has(fault.code)) byCode.set(fault.code, fault)
    return [...byCode.values()]
  }

  /** Whether the last attempt to connect to the issuer's own host failed. */
  get isAway(): boolean {
    const code = this.#active.get(new URL(this.#options.issuer).origin)?.fault.code
    return code === 'issuer_unreachable' || code === 'certificate_untrusted'
  }

  close(): void {
    this.#closed = true
  }

  failed({ url, concern }: OutboundRequest, code: string): void {
    const { origin } = new URL(url)
    // The issuer's own host is always asked again, so its fault needs no other way to end.
    const of = concern === undefined || new URL(concern.issuer).origin === origin ? null : nameOf(concern)
    if (isCertificateFault(code)) {
      const remedy = noAuthority.has(code) ? ': give the authority behind it as `ca`' : ''
      this.#begin({ at: origin, of }, 'certificate_untrusted', `its TLS certificate is not trusted (${code})${remedy}`)
    } else this.#begin({ at: origin, of }, 'issuer_unreachable', `${origin} cannot be reached (${code})`)
  }

  answered(ask: OutboundRequest, answer: SeenAnswer): void {
    const { origin, pathname } = new URL(ask.url)
    this.#end(origin)
    this.#compareClocks(answer)
    const { status } = answer
    const { concern } = ask
    const at = nameOf(concern ?? ask.url)
    // With a concern, only the reader of the answer can end its fault: the answer may be unusable.
    if (status < 300 || status === 304) return concern === undefined ? this.#works(at) : undefined
    if (this.#isMadeUp(concern)) return undefined
    // Metadata may be at one of two addresses: only the discovery knows whether both are missing.
    if (status === 404 && concern?.part === 'metadata') return undefined
    const credentials = ask.headers?.['authorization'] ?? ''
    if (credentials.startsWith('Basic ') && (status === 401 || status === 400 || status === 403))
      return this.#begin({ at }, 'client_refused', refusedClient(pathname, answer))
    if (credentials.startsWith('Bearer ') && (status === 401 || status === 403)) {
      const again = this.#refusedOnce.has(at)
      this.#refusedOnce.add(at)
      const message = `${pathname} refuses the token of this API's client (${status}): it needs revocations:read and events:report`
      return status === 403 || again ? this.#begin({ at }, 'client_refused', message) : undefined
    }
    const foreign = status === 404 && credentials.startsWith('Bearer ')
    return this.#begin({ at }, 'unexpected_answer', `${pathname} answers ${status}${foreign ? `: ${otherIssuer}` : ''}`)
  }

  /** A fault that only the reader of an answer can find. */
  unusable(what: Concern | string, why: string): void {
    if (typeof what !== 'string' && this.#isMadeUp(what)) return
    this.#begin({ at: nameOf(what) }, 'unexpected_answer', why)
  }

  over(concern: Concern): void {
    const name = nameOf(concern)
    this.#end(name)
    for (const [at, { of }] of this.#active) if (of === name) this.#end(at)
  }

  /**
   * A forged token may name any tenant, whose metadata is all that is requested before the tenant is known to exist.
   */
  #isMadeUp(concern: Concern | undefined): boolean {
    return concern?.part === 'metadata' && concern.issuer !== this.#options.issuer
  }

  #works(at: string): void {
    this.#refusedOnce.delete(at)
    this.#end(at)
    if (!at.endsWith(feedPaths.stream)) return
    // Pages and the requests of `isAskedInNeed` are not sent while the stream works, so nothing else would end their
    // faults.
    this.#works(at.slice(0, -feedPaths.stream.length) + feedPaths.changes)
    for (const [filed, { of }] of this.#active) if (isAskedInNeed(of ?? filed)) this.#works(filed)
  }

  #compareClocks({ date, age, askedAt, receivedAt }: SeenAnswer): void {
    const stated = date === null ? NaN : Date.parse(date)
    if (Number.isNaN(stated)) return
    const from = stated + 1000 * age
    // `Date` has whole seconds, and was written at some time between request and answer.
    const ahead = askedAt - (from + 1000)
    const behind = from - receivedAt
    const off = Math.max(ahead, behind)
    if (off <= this.#options.leeway) return this.#end('clock')
    const seconds = Math.round(off / 1000)
    const how = `${seconds} s ${ahead > behind ? 'ahead of' : 'behind'} the issuer's`
    this.#begin(
      { at: 'clock' },
      'clock_differs',
      `the clock here is ${how}, more than the leeway: set the clock of this machine`,
    )
  }

  #begin(filed: { readonly at: string; readonly of?: string | null }, code: IssuerFaultCode, message: string): void {
    if (this.#closed) return
    const { at, of = null } = filed
    const before = this.#active.get(at)?.fault
    if (before?.code === code) return
    const known = this.#has(code)
    const fault: IssuerFault = { issuer: this.#options.issuer, code, message, state: 'begun' }
    this.#active.set(at, { fault, of })
    if (before !== undefined) this.#tellOver(before)
    if (!known) this.#tell(fault)
  }

  #end(at: string): void {
    const before = this.#active.get(at)
    if (before === undefined || this.#closed) return
    this.#active.delete(at)
    this.#tellOver(before.fault)
  }

  #tellOver(before: IssuerFault): void {
    if (!this.#has(before.code)) this.#tell({ ...before, state: 'over' })
  }

  /** A listener that throws must not stop the validator. */
  #tell(fault: IssuerFault): void {
    try {
      this.#options.onFault(fault)
    } catch (error) {
      sayOnStderr(fault)
      console.error(error)
    }
  }

  #has(code: IssuerFaultCode): boolean {
    for (const { fault } of this.#active.values()) if (fault.code === code) return true
    return false
  }
}

/** Requests that are not needed while the stream works, so that no further answer would end their faults. */
const isAskedInNeed = (name: string): boolean =>
  name.startsWith('status_lists of ') || name.startsWith('introspection of ') || name.endsWith(reportPath)

/** An address without its query, which differs with each request. */
function nameOf(what: Concern | string): string {
  if (typeof what !== 'string') return `${what.part} of ${what.issuer}`
  const { origin, pathname } = new URL(what)
  return `${origin}${pathname}`
}

/** Only a Grantor has a revocation feed. */
const otherIssuer = "an issuer that is no Grantor has no feed, so declare it with revocation: 'none'"

function refusedClient(pathname: string, { status, error }: SeenAnswer): string {
  const stated = error === null ? String(status) : `${status} ${error}`
  const remedy =
    status === 401 || error === 'invalid_client'
      ? 'check its client id and its secret'
      : `check what this client may ask for; ${otherIssuer}`
  return `${pathname} refuses the client of this API (${stated}): ${remedy}`
}
