/** What a person does at a step: each act records one fact and redirects the browser to the hub. */
import { approvedScope, type InteractionProgress, requiredAcr } from '@grantor/protocol/authorize'
import type { Refusal } from '@grantor/protocol/oauth'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import {
  type ChangePasswordDependencies,
  chooseNewPassword,
  type NewPasswordOutcome,
} from '../account/change-password.ts'
import { type LinkSignIn, signInByLink, type SignInLinkDependencies } from '../sign-in-link/use.ts'
import { acceptTerms } from '../sign-up/terms.ts'
import { type InteractionDependencies, type InteractionState, loadInteraction } from './interaction.ts'
import {
  type ArrivalDependencies,
  arriveFromProvider,
  type ProviderArrival,
  type ReturnedBrowser,
} from '../providers/arrival.ts'
import { type Departure, leaveForProvider } from '../providers/departure.ts'
import type { SignInOutcome } from './response.ts'
import { keptInteraction } from './sealed-interaction.ts'
import {
  type SecondFactor,
  type SecondFactorDependencies,
  signInByPasskey,
  signInBySecondFactor,
} from './second-factor.ts'
import { type PasswordSignInDependencies, signInByPassword } from '../people/password-sign-in.ts'
import type { Account, CookieChanges, Visitor } from './visitor.ts'

/** The interaction in which a person acts, and their browser. */
export interface InteractionVisit {
  readonly interaction: Secret
  readonly visitor: Visitor
}

export interface InteractionSteps {
  signIn(
    visit: InteractionVisit,
    credentials: { readonly username: string; readonly password: string },
  ): Promise<Result<SignInOutcome, Refusal>>
  /** `text` is the JSON that the browser's authenticator made: it identifies the person, and is sufficient proof. */
  signInWithPasskey(visit: InteractionVisit, text: string): Promise<Result<SignInOutcome, Refusal>>
  /**
   * Signs in by a mailed link, wherever it was requested; an authorization request that was waiting for it is then
   * answered by that person.
   */
  signInByLink(secret: Secret, visitor: Visitor): Promise<LinkSignIn>
  /** 'rejected' where no second factor is asked for now: the hub shows the current step. */
  secondFactor(visit: InteractionVisit, factor: SecondFactor): Promise<Result<SignInOutcome, Refusal>>
  /** Returns to the login page, where the person may sign in as anybody. */
  startOver(visit: InteractionVisit): Promise<Result<CookieChanges, Refusal>>
  /** `subject: null` means none of the accounts that are signed in. */
  chooseAccount(visit: InteractionVisit, subject: string | null): Promise<Result<null, Refusal>>
  /** A person with several accounts here chooses among them; a person with one signs in with another. */
  switchAccount(visit: InteractionVisit): Promise<Result<null, Refusal>>
  /** Replaces the temporary password. 'changed' also where a new one is no longer asked for. */
  chooseNewPassword(visit: InteractionVisit, password: string): Promise<Result<NewPasswordOutcome, Refusal>>
  /** Accepts the version of the terms that the person read. In any case the hub shows the current step. */
  acceptTerms(visit: InteractionVisit, version: string): Promise<Result<null, Refusal>>
  /** Null where no sign-in is asked for any more: the hub shows the current step. */
  leaveForProvider(
    visit: InteractionVisit,
    chosen: { readonly provider: string; readonly loginHint: string | null },
  ): Promise<Result<Departure | null, Refusal>>
  /** The way back from a provider, wherever the person left from. */
  arriveFromProvider(returned: ReturnedBrowser, visitor: Visitor): Promise<Result<ProviderArrival, Refusal>>
  answerConsent(
    visit: InteractionVisit,
    answer: { readonly allow: boolean; readonly ticked: ReadonlySet<string> },
  ): Promise<Result<null, Refusal>>
}

export type StepDependencies = InteractionDependencies &
  SecondFactorDependencies &
  PasswordSignInDependencies &
  ArrivalDependencies &
  SignInLinkDependencies &
  Pick<ChangePasswordDependencies, 'passwords'>

/** Nobody has shown even a password here: there is no account to choose, and a stranger must not fill the store. */
const isNobodyHere = ({ accounts, pendingSecondFactor }: InteractionState): boolean =>
  accounts.length === 0 && pendingSecondFactor === null

const firstFactorOf = ({ person, authentication: { at, amr }, session: { expiresAt: until, upstream } }: Account) => ({
  person,
  at,
  until,
  amr,
  upstream: upstream ?? null,
})

export function openInteractionSteps(deps: StepDependencies): InteractionSteps {
  const { store } = deps

  /** Every act begins by loading the state anew: the page that it was sent from may be outdated. */
  async function actIn<T>(
    { interaction, visitor }: InteractionVisit,
    act: (state: InteractionState) => Promise<Result<T, Refusal>>,
  ): Promise<Result<T, Refusal>> {
    const loaded = await loadInteraction(interaction, visitor, deps)
    return loaded.kind === 'error' ? loaded : act(loaded.value)
  }

  /** Of two acts at the same time the store keeps the first; the hub then shows the step that follows from it. */
  async function recordProgress(
    { row, progress }: InteractionState,
    change: Partial<InteractionProgress>,
  ): Promise<Result<null, Refusal>> {
    const outcome = await store.interactions.record(keptInteraction(row), { ...progress, ...change })
    return outcome === 'closed' ? err({ reason: 'interaction_gone' }) : ok(null)
  }

  /** The person who signed in, or whose second factor is pending, is the one who answers in this interaction. */
  async function recordSignIn(
    state: InteractionState,
    outcome: LinkSignIn['outcome'],
  ): Promise<Result<SignInOutcome, Refusal>> {
    if (outcome.did !== 'signed-in' && outcome.did !== 'second-factor-pending') return ok(outcome)
    const recorded = await recordProgress(state, { account: outcome.subject, accountAction: null })
    return recorded.kind === 'error' ? recorded : ok(outcome)
  }

  return {
    signIn: (visit, credentials) =>
      actIn(visit, async (state) => {
        const { catalogue } = state
        return recordSignIn(
          state,
          await signInByPassword({ ...credentials, trusting: true, catalogue }, visit.visitor, deps),
        )
      }),

    signInWithPasskey: (visit, text) =>
      actIn(visit, async (state) =>
        recordSignIn(state, await signInByPasskey({ text, purpose: state.row.handle }, visit.visitor, deps)),
      ),

    secondFactor: (visit, factor) =>
      actIn(visit, async (state) => {
        const { step, accounts, pendingSecondFactor } = state
        if (step.go !== 'second-factor') return ok({ did: 'rejected' })
        const signedIn = accounts.find(({ authentication }) => authentication.sessionId === step.account?.sessionId)
        const firstFactor = signedIn === undefined ? pendingSecondFactor : firstFactorOf(signedIn)
        if (firstFactor === null) return ok({ did: 'rejected' })
        const first = { ...firstFactor, purpose: state.row.handle }
        return recordSignIn(state, await signInBySecondFactor(factor, first, visit.visitor, deps))
      }),

    async signInByLink(secret, visitor) {
      const signIn = await signInByLink(secret, visitor, deps)
      const { outcome, returnTo } = signIn
      // The person is signed in even if the interaction has ended meanwhile, which the hub will tell them.
      if (returnTo !== null) await actIn({ interaction: returnTo, visitor }, (state) => recordSignIn(state, outcome))
      return signIn
    },

    leaveForProvider: (visit, chosen) =>
      actIn(visit, async ({ step, request }) => {
        if (step.go !== 'login') return ok(null)
        const purpose = { kind: 'interaction' as const, interaction: visit.interaction }
        const again = step.again !== null || request.prompt.includes('login') || request.maxAge !== null
        const acrValues = requiredAcr(request) ?? request.acrValues
        return ok(await leaveForProvider({ ...chosen, purpose, again, acrValues }, visit.visitor, deps))
      }),

    async arriveFromProvider(returned, visitor) {
      const arrival = await arriveFromProvider(returned, visitor, deps)
      if (arrival.did === 'late') return err(arrival.refusal)
      if (arrival.did !== 'came' || arrival.purpose.kind !== 'interaction') return ok(arrival)
      const { interaction } = arrival.purpose
      const recorded = await actIn({ interaction, visitor }, (state) => recordSignIn(state, arrival.signIn))
      return recorded.kind === 'error' ? recorded : ok(arrival)
    },

    startOver: (visit) =>
      actIn(visit, async (state) => {
        if (isNobodyHere(state)) return ok({})
        const recorded = await recordProgress(state, { account: null, accountAction: 'login' })
        if (recorded.kind === 'error') return recorded
        return ok(visit.visitor.pendingSecondFactor === null ? {} : { pendingSecondFactor: null })
      }),

    chooseAccount: (visit, subject) =>
      actIn(visit, async (state) => {
        if (isNobodyHere(state)) return ok(null)
        const known = state.accounts.some((account) => account.person.id === subject)
        // A subject that no account has leads to the login page, as does null.
        return recordProgress(
          state,
          known ? { account: subject, accountAction: null } : { account: null, accountAction: 'login' },
        )
      }),

    switchAccount: (visit) =>
      actIn(visit, async (state) =>
        isNobodyHere(state)
          ? ok(null)
          : recordProgress(state, { account: null, accountAction: state.accounts.length > 1 ? 'choose' : 'login' }),
      ),

    chooseNewPassword: (visit, password) =>
      actIn(visit, async ({ step, accounts }) => {
        const account = accounts.find(
          ({ authentication }) => step.go === 'new-password' && authentication.sessionId === step.account.sessionId,
        )
        if (account === undefined) return ok('changed')
        return ok(await chooseNewPassword(account, password, visit.visitor, deps))
      }),

    acceptTerms: (visit, version) =>
      actIn(visit, async ({ step, accounts }) => {
        const account = accounts.find(
          ({ authentication }) => step.go === 'terms' && authentication.sessionId === step.account.sessionId,
        )
        if (account !== undefined) await acceptTerms(account, version, visit.visitor, deps)
        return ok(null)
      }),

    answerConsent: (visit, answer) =>
      actIn(visit, async (state) => {
        const { step } = state
        // Consent is not the current step: a step cannot be skipped by posting to the one after it.
        if (step.go !== 'consent') return ok(null)
        if (!answer.allow) return recordProgress(state, { denied: true })
        const scope = [...approvedScope(step.question, answer.ticked)]
        return recordProgress(state, { approval: { subject: step.account.subject, scope } })
      }),
  }
}
