/** The validator: says of a presented token whether it is accepted, and who calls. Framework-free; warm, it is synchronous. */
import { knownAlgorithms, type ParsedJwt, parseJwt, type VerificationKey } from '@grantor/protocol/jose'
import { err, type Result } from '@grantor/protocol/result'
import type { Trust } from '../issuer/trusted-issuers.ts'
import type { Caller } from './caller.ts'
import { type Deployments, deploy, type Surroundings, surroundings } from './issuer-connections.ts'
import { judge, type JudgeOptions, type Occasion } from './judge.ts'
import { OpaqueTokens } from './opaque-tokens.ts'
import { type Bearer, bearerOf, lineOf, type Presented } from './presented-credentials.ts'
import { outage, type Rejection, rejection } from './rejections.ts'
import { assertCoherent, type ValidatorOptions } from './validator-options.ts'
import { VerificationCache } from './verification-cache.ts'
import { readVerified, type Verified } from './verified-token.ts'

export type Verdict = Result<Caller, Rejection>

export interface Validator {
  /** A plain value on the warm path; a promise only where keys or introspection must be asked for. */
  validate(presented: Presented): Verdict | Promise<Verdict>
  /** For refusals that are decided later, by the scope guard: counts and reports them like the validator's own. */
  record(rejection: Rejection, caller?: Caller): void
  /** Keys of every named issuer are known, and every feed has its first snapshot and tail. */
  ready(): boolean
  /** Resolves when ready() turns true; rejects when closed first. */
  whenReady(): Promise<void>
  /** Stops timers and connections, and hands in what is left to report. */
  close(): Promise<void>
}

/** Starts at once: keys and feed are fetched in the background. Throws where the options are incoherent. */
export function createValidator(options: ValidatorOptions): Validator {
  assertCoherent(options)
  return new TokenValidator(options)
}

/** How a token was judged: by what was known of it, by its signature, or by asking its issuer. */
type Path = 'cache' | 'local' | 'introspect'
const pathLabels = { cache: { path: 'cache' }, local: { path: 'local' }, introspect: { path: 'introspect' } } as const
/** What a check says, and of whom, if the token was proven. */
type Finding =
  | { readonly path: Path; readonly judgement: 'accept'; readonly verified: Verified }
  | { readonly path: Path; readonly judgement: Rejection; readonly verified: Verified | null }

/** The request as a token is looked for in it: with the one header line that it came in. */
interface Asked extends Occasion {
  readonly line: string | null
}

function refused(judgement: Rejection, path: Path = 'local', verified: Verified | null = null): Finding {
  return { path, judgement, verified }
}

class TokenValidator implements Validator {
  readonly #around: Surroundings
  readonly #deployments: Deployments
  readonly #audience: ReadonlySet<string>
  readonly #judge: JudgeOptions
  readonly #cache: VerificationCache
  readonly #opaque: OpaqueTokens
  readonly #rejected: ValidatorOptions['rejected']
  #closed = false

  constructor(options: ValidatorOptions) {
    const around = surroundings(options)
    this.#around = around
    this.#deployments = deploy(options, around)
    this.#rejected = options.rejected
    this.#audience = new Set(typeof options.audience === 'string' ? [options.audience] : options.audience)
    this.#cache = new VerificationCache(options.cacheSize ?? 10_000)
    this.#opaque = new OpaqueTokens(this.#deployments.trusts, this.#audience)
    this.#judge = {
      time: around.time,
      leeway: 1000 * (options.leeway ?? 60),
      onStale: options.onStale ?? 'refuse',
      serveStaleFor: 1000 * (options.serveStaleFor ?? 600),
      confirm: options.confirm ?? null,
      staleDecision: (policy) => around.metrics.count('rs_stale_decisions_total', { policy }),
    }
    for (const trust of this.#deployments.trusts.named()) void trust.keys.refresh()
    for (const feed of this.#deployments.feeds) feed.start()
    for (const { reports } of this.#deployments.reports) reports.start()
  }

  validate(presented: Presented): Verdict | Promise<Verdict> {
    const start = this.#around.time.monotonic()
    const line = lineOf(presented)
    const met = line === null ? undefined : this.#cache.get(line)
    let bearer: Bearer | undefined = met
    if (bearer === undefined) {
      const read = bearerOf(presented)
      if (read.kind === 'error') return this.#conclude(refused(read.error), null)
      bearer = read.value
    }
    const occasion = { presented, line, scheme: bearer.scheme, token: bearer.token }
    const finding = met === undefined ? this.#check(occasion) : this.#judged(met.verified, occasion, 'cache')
    return finding instanceof Promise
      ? finding.then((late) => this.#conclude(late, start))
      : this.#conclude(finding, start)
  }

  record(rejection: Rejection, caller?: Caller): void {
    this.#around.metrics.count('rs_auth_rejections_total', { code: rejection.code })
    this.#rejected?.(rejection, caller ?? null)
    // No token, no failed validation (DECISIONS §7); an outage says nothing about a token.
    if (rejection.code === 'token_missing' || rejection.status === 503) return
    const { reports } = this.#deployments
    const home = reports.find(({ root }) => caller?.issuer === root || caller?.issuer.startsWith(`${root}/t/`) === true)
    const receiver = caller === undefined ? reports[0] : home
    receiver?.reports.record(rejection.code, caller ?? null)
  }

  ready(): boolean {
    const { trusts, feeds } = this.#deployments
    return [...trusts.named()].every(({ keys }) => keys.ready()) && feeds.every((feed) => feed.freshness() !== 'cold')
  }

  async whenReady(): Promise<void> {
    while (!this.ready()) {
      if (this.#closed) throw new Error('The validator was closed before it was ready')
      // A real timer whatever the clock: it keeps the process alive while someone waits to begin.
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const { trusts, feeds, reports } = this.#deployments
    await Promise.all([...feeds.map((feed) => feed.close()), ...reports.map((one) => one.reports.close())])
    trusts.close()
  }

  #conclude(finding: Finding, start: number | null): Verdict {
    const { time, metrics } = this.#around
    if (start !== null) {
      metrics.observe('rs_token_validation_seconds', (time.monotonic() - start) / 1000, pathLabels[finding.path])
    }
    if (finding.judgement === 'accept') return finding.verified.accepted
    this.record(finding.judgement, finding.verified?.caller)
    return err(finding.judgement)
  }

  #check(occasion: Asked): Finding | Promise<Finding> {
    return this.#opaque.recognises(occasion.token) ? this.#checkOpaque(occasion) : this.#checkJwt(occasion)
  }

  #checkJwt(occasion: Asked): Finding | Promise<Finding> {
    const parsed = parseJwt(occasion.token)
    const issuer = parsed?.claims['iss']
    if (parsed === null || typeof issuer !== 'string') return refused(rejection('token_malformed'))
    // Whose keys to check with must be read before the signature; nothing else is believed before it.
    const trust = this.#deployments.trusts.find(issuer)
    if (trust === 'untrusted') return refused(rejection('issuer_untrusted'))
    if (trust === 'unavailable') return refused(outage('keys_unavailable'))
    // RFC 8725 §3.1: `none`, HMAC and whatever is not on the list never get as far as a key.
    if (!knownAlgorithms.includes(parsed.alg)) return refused(rejection('signature_invalid'))
    const verify = (key: VerificationKey) => {
      const verified = this.#verify(parsed, trust, key)
      if (verified.kind === 'error') return refused(rejection(verified.error))
      const { line, scheme, token } = occasion
      if (line !== null) this.#cache.set({ line, scheme, token, verified: verified.value })
      return this.#judged(verified.value, occasion, 'local')
    }
    const key = trust.keys.find(parsed.kid, parsed.alg)
    if (key !== undefined) return verify(key)
    if (parsed.kid !== undefined && trust.keys.has(parsed.kid)) return refused(rejection('signature_invalid'))
    return this.#seek(parsed, trust, verify)
  }

  async #seek(
    parsed: ParsedJwt,
    trust: Trust,
    verify: (key: VerificationKey) => Finding | Promise<Finding>,
  ): Promise<Finding> {
    const key = await trust.keys.seek(parsed.kid, parsed.alg)
    if (typeof key !== 'string') return verify(key)
    if (key === 'unavailable') return refused(outage('keys_unavailable'))
    if (key === 'absent') return refused(rejection('unknown_signing_key'))
    this.#deployments.trusts.forget(trust)
    return refused(rejection('issuer_untrusted'))
  }

  /** In the seed's order: signature, then type, then what the claims say. */
  #verify(parsed: ParsedJwt, trust: Trust, key: VerificationKey) {
    if (!key.verify(parsed.alg, parsed.signed, parsed.signature)) return err('signature_invalid' as const)
    if (parsed.typ === undefined || !trust.types.has(parsed.typ)) return err('token_type_invalid' as const)
    return readVerified(parsed.claims, { trust, key, audience: this.#audience })
  }

  #judged(verified: Verified, occasion: Occasion, path: Path): Finding | Promise<Finding> {
    const judgement = judge(verified, occasion, this.#judge)
    if (judgement === 'accept') return { path, judgement, verified }
    return judgement === 'introspect' ? this.#byIssuer(verified, occasion) : refused(judgement, path, verified)
  }

  async #byIssuer(verified: Verified, { token }: Occasion): Promise<Finding> {
    const active = await this.#opaque.stillActive(verified.trust, token)
    if (active === true) return { path: 'introspect', judgement: 'accept', verified }
    const why = active === 'unavailable' ? outage('revocation_state_stale', 5) : rejection('token_revoked')
    return refused(why, 'introspect', verified)
  }

  #checkOpaque(occasion: Occasion): Finding | Promise<Finding> {
    const judged = (answer: Result<Verified, Rejection>, path: Path) =>
      answer.kind === 'error' ? refused(answer.error, path) : this.#judged(answer.value, occasion, path)
    const known = this.#opaque.recall(occasion.token)
    if (known !== undefined) return judged(known, 'cache')
    return this.#opaque.ask(occasion.token).then((answer) => judged(answer, 'introspect'))
  }
}
