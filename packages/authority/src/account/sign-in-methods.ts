/**
 * A person's own sign-in methods: listing, adding and removing them, only shortly after a sign-in as strong as the
 * person's methods allow.
 */
import {
  acrValues,
  type Factors,
  hasSecondFactor,
  meetsAcr,
  type SignInStrength,
  withCode,
  withNewPasskey,
} from '@grantor/protocol/authorize'
import { matchingStep, type Person } from '@grantor/protocol/people'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import type { Enrolment, PasskeyRow, RememberedBrowserRow } from '@grantor/store'
import { newEvent } from '../events.ts'
import {
  type CodeDependencies,
  newRecoveryCodes,
  offeredTotp,
  offerTotp,
  type TotpOffer,
  totpContext,
} from '../factors/codes.ts'
import { type EnrolmentDependencies, enrolledPasskey, enrolmentQuestion } from '../factors/enrol-passkey.ts'
import { countOwnAttempt, giveBackAttempt } from '../limits/sign-in-attempts.ts'
import { beginSession, type SignInDependencies } from '../interact/sign-in.ts'
import { servedProviders } from '../providers/served-providers.ts'
import type { Directory } from '../directory.ts'
import type { Account, CookieChanges, Visitor } from '../interact/visitor.ts'

export type AccountFactorDependencies = CodeDependencies &
  EnrolmentDependencies &
  SignInDependencies & { readonly directory: Pick<Directory, 'currentCatalogue'> }

export interface SignInMethods {
  readonly factors: Factors
  readonly passkeys: readonly PasskeyRow[]
  readonly totp: { readonly createdAt: Instant; readonly lastUsedAt: Instant | null } | null
  readonly browsers: readonly RememberedBrowserRow[]
  /** Whether they may be changed now; otherwise the person must sign in again first. */
  readonly mayChange: boolean
}

/**
 * `codes`: recovery codes, shown only once, if these are the first. `cookies`: the session that added the second factor
 * becomes one of two factors, because both were just shown.
 */
export type FactorAddition =
  | { readonly did: 'added'; readonly codes: readonly string[] | null; readonly cookies: CookieChanges | null }
  /**
   * `stale`: sign in again first. `full`: the maximum is reached. `outrun`: changed elsewhere at the same time, try
   * again.
   */
  | { readonly did: 'stale' | 'refused' | 'exists' | 'full' | 'outrun' }

export type FactorRemoval = 'totp' | { readonly passkey: string }

export interface AccountFactors {
  /** Whether the person has signed in recently enough, and as strongly as they can. */
  mayChange(account: Account): Promise<boolean>
  methods(account: Account): Promise<SignInMethods>
  /** Options for the browser's authenticators; null where passkeys are impossible. */
  passkeyQuestion(account: Account, service: string, visitor: Visitor): Promise<JsonObject | null>
  addPasskey(
    account: Account,
    by: { readonly answer: string; readonly name: string },
    visitor: Visitor,
  ): Promise<FactorAddition>
  /** A new secret for an app, to be confirmed by one of its codes. */
  offerTotp(account: Account): TotpOffer
  /** The same offer again, for a page that is shown again; null when it has expired. */
  offeredTotp(account: Account, sealed: string): TotpOffer | null
  addTotp(
    account: Account,
    by: { readonly sealed: string; readonly otp: string },
    visitor: Visitor,
  ): Promise<FactorAddition>
  /** 'last': the person could not sign in any more. */
  remove(account: Account, what: FactorRemoval, visitor: Visitor): Promise<'removed' | 'absent' | 'stale' | 'last'>
  newRecoveryCodes(account: Account, visitor: Visitor): Promise<readonly string[] | 'stale'>
  /** Needs no recent sign-in, because it only reduces trust. */
  forgetBrowser(account: Account, id: string, visitor: Visitor): Promise<void>
}

/** A new factor: the person's present factors, their account, and the strength of the sign-in with it. */
interface NewFactor {
  readonly held: Factors
  readonly account: Account
  readonly visitor: Visitor
  readonly strength: SignInStrength
}

const maxPasskeys = 20
const [, twoFactors] = acrValues

export function openAccountFactors(deps: AccountFactorDependencies): AccountFactors {
  const { factors: store } = deps.store

  /** The person's factors; null where they must sign in again before a change. */
  async function changeable({ person, authentication }: Account): Promise<Factors | null> {
    const held = await store.of(person.tenant, person.id)
    const isRecent = deps.clock.now() - authentication.at <= deps.policy.recentSignIn * 1000
    const isStrong = !hasSecondFactor(held) || meetsAcr(authentication.acr, twoFactors)
    return isRecent && isStrong ? held : null
  }

  const factorEvent = (person: Person, visitor: Visitor, data: JsonObject, name: 'added' | 'removed') => {
    const about = { actor: { kind: 'user' as const, id: person.id }, subject: person.id, data }
    return newEvent(deps, visitor, `factor.${name}`, about)
  }

  /** Stores the factor and, with the first one, recovery codes, in one commit. */
  async function enrol(
    { held, account, visitor, strength }: NewFactor,
    put: (recovery: ReturnType<typeof newRecoveryCodes> | null) => Promise<Enrolment>,
  ): Promise<FactorAddition> {
    const recovery = hasSecondFactor(held) ? null : newRecoveryCodes(account.person, deps.ids)
    const outcome = await put(recovery)
    if (outcome !== 'added') return { did: outcome === 'exists' ? 'exists' : 'outrun' }
    if (recovery === null) return { did: 'added', codes: null, cookies: null }
    return { did: 'added', codes: recovery.codes, cookies: await strengthened(account, strength, visitor) }
  }

  /**
   * The new session keeps the age and the end of the old one, and belongs only to the browser that added the factor.
   */
  async function strengthened(
    { person, authentication: { at }, session: { expiresAt: until, upstream } }: Account,
    strength: SignInStrength,
    visitor: Visitor,
  ): Promise<CookieChanges | null> {
    const begun = await beginSession(
      { person, ...strength, at, since: deps.clock.now(), until, upstream: upstream ?? null, tried: null },
      visitor,
      deps,
    )
    return begun.did === 'signed-in' ? begun.cookies : null
  }

  return {
    mayChange: async (account) => (await changeable(account)) !== null,

    async methods(account) {
      const { tenant, id } = account.person
      const totp = await store.totp(tenant, id)
      const now = deps.clock.now()
      return {
        factors: await store.of(tenant, id),
        passkeys: await store.passkeys(tenant, id),
        totp: totp && { createdAt: totp.createdAt, lastUsedAt: totp.lastUsedAt },
        browsers: (await store.browsers(tenant, id)).filter((it) => it.expiresAt > now),
        mayChange: (await changeable(account)) !== null,
      }
    },

    passkeyQuestion: ({ person }, service, visitor) => enrolmentQuestion({ person, service }, visitor, deps),

    async addPasskey(account, { answer, name }, visitor) {
      const { person } = account
      const held = await changeable(account)
      if (held === null) return { did: 'stale' }
      if ((await store.passkeys(person.tenant, person.id)).length >= maxPasskeys) return { did: 'full' }
      const enrolled = await enrolledPasskey({ person, text: answer, name }, visitor, deps)
      if (enrolled === null) return { did: 'refused' }
      const passkey = { ...enrolled, passwordSeen: person.passwordChangedAt }
      const events = [factorEvent(person, visitor, { factor: 'passkey' }, 'added')]
      return enrol({ held, account, visitor, strength: withNewPasskey(account.authentication.amr) }, (recovery) =>
        store.addPasskey(passkey, recovery?.handles ?? null, events),
      )
    },

    offerTotp: ({ person }) => offerTotp(person, deps),
    offeredTotp: ({ person }, sealed) => offeredTotp(person, sealed, deps),

    async addTotp(account, { sealed, otp }, visitor) {
      const { person } = account
      const held = await changeable(account)
      const offer = offeredTotp(person, sealed, deps)
      if (held === null || offer === null) return { did: 'stale' }
      const tried = await countOwnAttempt(account, deps.limits)
      const step =
        tried.seconds > 0 ? null : matchingStep(otp, { secret: offer.secret, lastStep: null }, deps.clock.now())
      if (step === null) return { did: 'refused' }
      await giveBackAttempt(tried, deps.limits)
      const { tenant, id: subject } = person
      const sealedSecret = deps.vault.seal(offer.secret, totpContext(tenant, subject))
      // The confirming code is used up: it cannot be used for a sign-in.
      const passwordSeen = person.passwordChangedAt
      const createdAt = deps.clock.now()
      const row = { tenant, subject, sealedSecret, lastStep: step, createdAt, lastUsedAt: null, passwordSeen }
      const events = [factorEvent(person, visitor, { factor: 'totp' }, 'added')]
      return enrol({ held, account, visitor, strength: withCode(account.authentication.amr) }, (recovery) =>
        store.addTotp(row, recovery?.handles ?? null, events),
      )
    },

    async remove(account, what, visitor) {
      const { person } = account
      if ((await changeable(account)) === null) return 'stale'
      const { tenant, id: subject } = person
      const data = what === 'totp' ? { factor: 'totp' } : { factor: 'passkey' }
      const served = servedProviders(await deps.directory.currentCatalogue(tenant)).map((it) => it.id)
      return store.remove({ tenant, subject, what, served }, [factorEvent(person, visitor, data, 'removed')])
    },

    async newRecoveryCodes(account, visitor) {
      const { person } = account
      if ((await changeable(account)) === null) return 'stale'
      const { codes, handles } = newRecoveryCodes(person, deps.ids)
      const { tenant, id: subject } = person
      const events = [factorEvent(person, visitor, { factor: 'recovery_codes' }, 'added')]
      const set = { tenant, subject, handles, passwordSeen: person.passwordChangedAt, at: deps.clock.now() }
      const outcome = await store.replaceRecoveryCodes(set, events)
      return outcome === 'replaced' ? codes : 'stale'
    },

    async forgetBrowser({ person }, id, visitor) {
      const { tenant, id: subject } = person
      const about = { actor: { kind: 'user' as const, id: subject }, subject, data: { browser: id } }
      await store.forgetBrowser({ tenant, subject, id }, [newEvent(deps, visitor, 'browser.forgotten', about)])
    },
  }
}
