/** The validator: decides whether a presented token is accepted. Framework-free, and synchronous for a cached token. */
import { knownAlgorithms, type ParsedJwt, parseJwt, type VerificationKey } from '@grantor/protocol/jose'
import { err, type Err, type Result } from '@grantor/protocol/result'
import type { Caller } from './caller.ts'
import { endingOf, isRevokedSince } from './ending.ts'
import { accepted, type Finding, type Path, pathLabels, refused, type Verdict } from './finding.ts'
import { type IssuerConnections, type IssuerFault, connectIssuers } from './issuer-connections.ts'
import { AskedCredentials } from './asked-credentials.ts'
import { type HeaderPresentation, judgeToken, type JudgeOptions, mayAccept, type TokenPresentation } from './judge.ts'
import { checkPossession, possessionOptions, type PossessionOptions } from '../possession/possession.ts'
import { authorizationLine, type PresentedCredentials, readBearerToken } from './presented-credentials.ts'
import { outage, type Rejection, rejection } from './rejections.ts'
import { assertValidOptions, servedStaleFor, type ValidatorOptions } from './validator-options.ts'
import { byStatusList, isListedInvalid } from './by-status-list.ts'
import { VerificationCache } from './verification-cache.ts'
import { readVerifiedToken, tokenDigest, type VerifiedToken } from './verified-token.ts'

type TrustedIssuer = VerifiedToken['issuer']

export interface Validator {
  /** A plain value for a cached token; a promise only where keys, a status list or introspection must be fetched. */
  validate(presented: PresentedCredentials): Verdict | Promise<Verdict>
  /** For refusals that are decided later, by the scope guard: counts and reports them like the validator's own. */
  record(rejection: Rejection, caller?: Caller): void
  /** Whether the token of an accepted caller is known to be revoked since, for work that outlives the token. */
  isRevoked?(caller: Caller): boolean
  /** Why a stream or the like of a caller must end now; null while it may go on. `openedAt`: wall time. */
  endOf?(caller: Caller, openedAt: number, onStale?: JudgeOptions['onStale']): ReturnType<typeof endingOf>
  /** False where no route may use `serve`, because `serveStaleFor` is not given. */
  readonly servesStale?: boolean
  /** Whether every feed has its first snapshot and tail: for work that needs no token any more. */
  knowsRevocations?(): boolean
  /** Whether keys of every configured issuer are known, and every feed has its first snapshot and tail. */
  ready(): boolean
  /** Ready, and some token could be accepted now, by its own policy for a stale state or one of these of routes. */
  canAccept?(policies?: readonly JudgeOptions['onStale'][]): boolean
  /** What keeps it from its work now, one of each kind and issuer; empty where nothing does. */
  faults?(): readonly IssuerFault[]
  /** Resolves when ready() turns true; rejects when closed first. */
  whenReady(): Promise<void>
  /** Stops timers and connections, and sends the remaining reports. */
  close(): Promise<void>
}

/** Starts at once: keys and feed are fetched in the background. Throws where the options are incoherent. */
export function createValidator(options: ValidatorOptions): Validator {
  assertValidOptions(options)
  return new TokenValidator(options)
}

class TokenValidator implements Validator {
  readonly #dependencies: IssuerConnections['dependencies']
  readonly #issuers: IssuerConnections
  readonly #audience: ReadonlySet<string>
  readonly #judge: JudgeOptions
  readonly #possession: PossessionOptions
  readonly #cache: VerificationCache
  readonly #asked: AskedCredentials
  readonly #onRejection: ValidatorOptions['onRejection']
  #closed = false

  constructor(options: ValidatorOptions) {
    this.#issuers = connectIssuers(options)
    const { dependencies } = this.#issuers
    this.#dependencies = dependencies
    this.#onRejection = options.onRejection
    this.#audience = new Set(typeof options.audience === 'string' ? [options.audience] : options.audience)
    this.#cache = new VerificationCache(options.cacheSize ?? 10_000)
    this.#asked = new AskedCredentials(this.#issuers.trusted, this.#audience, dependencies.time)
    this.#judge = {
      time: dependencies.time,
      leeway: 1000 * (options.leeway ?? 60),
      onStale: options.onStale ?? 'refuse',
      serveStaleFor: servedStaleFor(options),
      onStaleDecision: (policy) => dependencies.metrics.count('rs_stale_decisions_total', { policy }),
    }
    this.#possession = possessionOptions(options, dependencies.time)
    for (const trusted of this.#issuers.trusted.namedIssuers()) void trusted.keys.refresh()
    for (const feed of this.#issuers.feeds) feed.start()
    for (const { reports } of this.#issuers.reports) reports.start()
  }

  validate(presented: PresentedCredentials): Verdict | Promise<Verdict> {
    const line = authorizationLine(presented)
    const cached = line === null ? undefined : this.#cache.get(line)
    if (cached !== undefined) {
      const presentation = { presented, scheme: cached.scheme, token: cached.token }
      return this.#concludeWhenThere(this.#judged(cached.verified, presentation, 'cache'), null)
    }
    const start = this.#dependencies.time.monotonic()
    const bearer = readBearerToken(presented)
    if (bearer.kind === 'error') return this.#conclude(refused(bearer.error), null)
    return this.#concludeWhenThere(this.#check({ presented, line, ...bearer.value }), start)
  }

  record(rejection: Rejection, caller?: Caller): void {
    this.#dependencies.metrics.count('rs_auth_rejections_total', { code: rejection.code })
    try {
      this.#onRejection?.(rejection, caller ?? null)
    } catch (error) {
      // An error of a listener must not fail the request.
      console.error(error)
    }
    this.#issuers.report(rejection, caller ?? null)
  }

  isRevoked(caller: Caller): boolean {
    const trusted = this.#issuers.trusted.revokerOf(caller.issuer)
    if (trusted === null) return false
    return isListedInvalid(caller, trusted) || isRevokedSince(caller, trusted.revocation, this.#judge)
  }

  endOf(caller: Caller, openedAt: number, onStale?: JudgeOptions['onStale']): ReturnType<typeof endingOf> {
    return endingOf(caller, openedAt, onStale === undefined ? this.#judge : { ...this.#judge, onStale })
  }

  get servesStale(): boolean {
    return this.#judge.serveStaleFor > 0
  }

  knowsRevocations(): boolean {
    return this.#issuers.feeds.every((feed) => feed.freshness() !== 'cold')
  }

  ready(): boolean {
    return [...this.#issuers.trusted.namedIssuers()].every(({ keys }) => keys.ready()) && this.knowsRevocations()
  }

  canAccept(policies: readonly JudgeOptions['onStale'][] = []): boolean {
    return this.ready() && [...this.#issuers.trusted.namedIssuers()].some((of) => mayAccept(of, policies, this.#judge))
  }

  faults(): readonly IssuerFault[] {
    return this.#issuers.faults.flatMap((issuerFaults) => issuerFaults.current())
  }

  async whenReady(): Promise<void> {
    while (!this.ready()) {
      if (this.#closed) throw new Error('The validator was closed before it was ready')
      // A real timer, not one of `time`, so that the process stays alive while it waits for the validator.
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const { trusted, feeds, reports, faults } = this.#issuers
    for (const issuerFaults of faults) issuerFaults.close()
    await Promise.all([...feeds.map((feed) => feed.close()), ...reports.map((ofIssuer) => ofIssuer.reports.close())])
    trusted.close()
  }

  #concludeWhenThere(found: Finding | Promise<Finding>, start: number | null): Verdict | Promise<Verdict> {
    return found instanceof Promise ? found.then((late) => this.#conclude(late, start)) : this.#conclude(found, start)
  }

  #conclude({ path, verdict, verified }: Finding, start: number | null): Verdict {
    const { time, metrics } = this.#dependencies
    // A cache hit is not timed: reading the clock twice and a histogram cost as much as the rest of the check.
    if (path === 'cache') metrics.count('rs_token_cache_hits_total')
    else if (start !== null)
      metrics.observe('rs_token_validation_seconds', (time.monotonic() - start) / 1000, pathLabels[path])
    if (verdict.kind === 'error') this.record(verdict.error, verified?.caller)
    return verdict
  }

  #check(presentation: HeaderPresentation): Finding | Promise<Finding> {
    const source = this.#asked.sourceOf(presentation.token)
    return source === null ? this.#checkJwt(presentation) : this.#checkAsked(presentation, source)
  }

  #checkJwt(presentation: HeaderPresentation): Finding | Promise<Finding> {
    const parsed = parseJwt(presentation.token)
    const issuer = parsed?.claims['iss']
    if (parsed === null || typeof issuer !== 'string') return refused(rejection('token_malformed'))
    // RFC 8725 §3.1: `none`, HMAC and any algorithm not on the list are refused before an issuer is looked up.
    if (!knownAlgorithms.includes(parsed.alg)) return refused(rejection('signature_invalid'))
    // The issuer must be read before the signature is checked, as it names the keys. No other claim is used before.
    const found = this.#issuers.trusted.find(issuer)
    if (found.kind === 'error') {
      return refused(found.error === 'untrusted' ? rejection('issuer_untrusted') : outage('keys_unavailable'))
    }
    const trusted = found.value
    const verify = (key: VerificationKey) => {
      const verified = this.#verify(parsed, trusted, key)
      if (verified.kind === 'error') return refused(rejection(verified.error))
      const { line, scheme, token } = presentation
      if (line !== null) this.#cache.set({ line, scheme, token, verified: verified.value })
      return this.#judged(verified.value, presentation, 'local')
    }
    const key = trusted.keys.find(parsed.kid, parsed.alg)
    if (key !== undefined) return verify(key)
    if (parsed.kid !== undefined && trusted.keys.has(parsed.kid)) return refused(rejection('signature_invalid'))
    return this.#seek(parsed, trusted, verify)
  }

  async #seek(
    parsed: ParsedJwt,
    trusted: TrustedIssuer,
    verify: (key: VerificationKey) => Finding | Promise<Finding>,
  ): Promise<Finding> {
    const key = await trusted.keys.seek(parsed.kid, parsed.alg)
    if (key.kind === 'ok') return verify(key.value)
    if (key.error === 'absent') return refused(rejection('unknown_signing_key'))
    // A tenant that its host does not know is made up. A configured issuer is never forgotten, but taken to be away.
    const isMadeUp = key.error === 'no-issuer' && this.#issuers.trusted.forget(trusted)
    return refused(isMadeUp ? rejection('issuer_untrusted') : outage('keys_unavailable'))
  }

  /** The signature first, then the type, then what the claims say. */
  #verify(
    parsed: ParsedJwt,
    trusted: TrustedIssuer,
    key: VerificationKey,
  ): ReturnType<typeof readVerifiedToken> | Err<'signature_invalid' | 'token_type_invalid'> {
    if (!key.verify(parsed.alg, parsed.signed, parsed.signature)) return err('signature_invalid')
    if (!trusted.types.has(parsed.typ ?? null)) return err('token_type_invalid')
    const fallbackId = trusted.foreign === null ? undefined : tokenDigest(parsed.signed)
    const context = { issuer: trusted, key, audience: this.#audience }
    return readVerifiedToken(parsed.claims, fallbackId === undefined ? context : { ...context, fallbackId })
  }

  #judged(verified: VerifiedToken, presentation: TokenPresentation, path: Path): Finding | Promise<Finding> {
    const judgement = judgeToken(verified, presentation, this.#judge)
    if (judgement.kind === 'error') return refused(judgement.error, path, verified)
    const conclude = (unproven: Rejection | null): Finding | Promise<Finding> => {
      if (unproven !== null) return refused(unproven, path, verified)
      if (judgement.value === 'accept') return accepted(verified, path)
      return judgement.value === 'introspect'
        ? this.#asked.byIssuer(verified, presentation.token)
        : byStatusList(verified, judgement.value)
    }
    const unproven = checkPossession(verified.confirmation, presentation, this.#possession)
    return unproven instanceof Promise ? unproven.then(conclude) : conclude(unproven)
  }

  #checkAsked(
    presentation: TokenPresentation,
    from: NonNullable<ReturnType<AskedCredentials['sourceOf']>>,
  ): Finding | Promise<Finding> {
    const judged = (read: Result<VerifiedToken, Rejection>, path: Path) =>
      read.kind === 'error' ? refused(read.error, path) : this.#judged(read.value, presentation, path)
    const { token, presented } = presentation
    const known = from.recall(token)
    if (known !== undefined) return judged(known, 'cache')
    return from.ask(token, presented.request?.address?.() ?? null).then((answer) => judged(answer, 'introspect'))
  }
}
