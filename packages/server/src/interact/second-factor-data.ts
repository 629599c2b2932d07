/** Converts the second factor between the authority and its page and form; shared by the hub and the account pages. */
import type { SecondFactor, SecondFactorQuestion, SignInOutcome } from '@grantor/authority'
import type { Form } from '@grantor/protocol/oauth'
import type { FormTarget } from '../pages/components/form.ts'
import type { LoginError } from '../pages/login.ts'
import type { PageAnswer } from './page-answer.ts'
import { passkeyField } from '../pages/components/passkey.ts'
import type { SecondFactorData, SecondFactorError } from '../pages/second-factor.ts'

interface SecondFactorForm {
  readonly form: FormTarget
  readonly error: SecondFactorError | null
  readonly sent: Form
}

export const factorData = (
  question: SecondFactorQuestion,
  { form, error, sent }: SecondFactorForm,
): SecondFactorData => ({
  form,
  error,
  typed: typedIn(sent),
  // Ticked again only after a refused code, never by a link that leads here.
  remember: error !== null && isRemembering(sent),
  account: question.account,
  otp: question.factors.otp,
  recoveryCodes: question.factors.recoveryCodes,
  passkeyOnly: question.passkeyOnly,
  rememberFor: question.rememberFor,
  passkey: question.passkey === null ? null : { form, options: question.passkey },
})

/** The field that the person filled in by hand. */
const typedIn = (form: Form): SecondFactorData['typed'] =>
  form.get(passkeyField) !== undefined
    ? null
    : ((['recovery_code', 'otp'] as const).find((name) => form.get(name) !== undefined) ?? null)

const isRemembering = (form: Form): boolean => form.get('remember') !== undefined

/** The answer in the form; of several, a passkey before a recovery code before a one-time password. */
export function factorAnswer(form: Form): SecondFactor {
  const [passkey, recoveryCode] = [form.get(passkeyField), form.get('recovery_code')]
  if (passkey !== undefined) return { answer: { passkey }, remember: false }
  if (recoveryCode !== undefined) return { answer: { recoveryCode }, remember: false }
  return { answer: { otp: form.get('otp') ?? '' }, remember: isRemembering(form) }
}

type Failed = Exclude<SignInOutcome, { cookies: unknown }>

export function signInError(outcome: Failed): LoginError {
  if (outcome.did === 'unavailable') return { kind: 'provider', problem: 'unavailable', name: outcome.provider }
  return outcome.did === 'throttled' ? { kind: 'throttled', seconds: outcome.seconds } : { kind: 'rejected' }
}

/** The error, if the page of the second factor can show it. */
export const factorError = (error: LoginError | null): SecondFactorError | null =>
  error?.kind === 'throttled' || error?.kind === 'rejected' ? error : null

type PageError =
  | { readonly kind: string; readonly problem?: string }
  | { readonly kind: 'throttled'; readonly seconds: number }

/** The status of a page with an error. */
export function errorAnswer(error: PageError | null): Pick<PageAnswer, 'status' | 'wait'> {
  if (error === null) return {}
  const status = 'problem' in error && error.problem === 'unavailable' ? 503 : 401
  return { status, wait: 'seconds' in error ? error.seconds : null }
}
