/** What a person is asked at the current step, as plain data for the pages. */
import { noFactors, type SecondFactorStep, type InteractionStep } from '@grantor/protocol/authorize'
import { mayRefresh } from '@grantor/protocol/grants'
import { catalogueIndex } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Logos } from '../clients/logos.ts'
import { type PasskeyDependencies, passkeyQuestion } from '../factors/passkey-sign-in.ts'
import { providerChoice } from '../providers/served-providers.ts'
import { displayedAccount, displayedClient, displayedPerson } from './display.ts'
import type { InteractionDependencies, InteractionState } from './interaction.ts'
import type { InteractionQuestion, SecondFactorQuestion } from './response.ts'

export type QuestionDependencies = InteractionDependencies & PasskeyDependencies & { readonly logos: Logos }

export async function questionAt(
  state: InteractionState,
  step: Extract<InteractionStep, { go: InteractionQuestion['go'] }>,
  deps: QuestionDependencies,
): Promise<InteractionQuestion> {
  switch (step.go) {
    case 'login': {
      const [again, username] = [step.again !== null, usernameFor(state, step)]
      const passkey = await passkeyQuestion({ purpose: state.row.handle, of: null }, state.visitor, deps)
      const { catalogue } = state
      return { go: 'login', ...questionContext(state, deps), ...providerChoice(catalogue), again, username, passkey }
    }
    case 'second-factor':
      return {
        go: 'second-factor',
        ...questionContext(state, deps),
        ...(await secondFactorQuestion(state, step, deps)),
      }
    case 'choose':
      return { go: 'choose', ...questionContext(state, deps), accounts: state.accounts.map(displayedAccount) }
    case 'new-password':
      return {
        go: 'new-password',
        ...questionContext(state, deps),
        account: displayedPerson(personOf(state, step.account.subject)),
      }
    case 'terms':
      return {
        go: 'terms',
        ...questionContext(state, deps),
        account: displayedPerson(personOf(state, step.account.subject)),
        terms: step.terms,
      }
    case 'consent':
      return consentQuestion(state, step, deps)
  }
}

const questionContext = ({ client, request, device }: InteractionState, { logos }: QuestionDependencies) => ({
  device,
  client: displayedClient(client, request.redirectUri),
  logo: logos.cachedVersion(client),
  redirectUri: request.redirectUri,
  uiLocales: request.uiLocales,
})

/** The username to prefill, for a person who signs in again or whom the client hinted at. */
const usernameFor = (
  { accounts, request }: InteractionState,
  { again }: Extract<InteractionStep, { go: 'login' }>,
): string =>
  accounts.find((account) => account.authentication.subject === again?.subject)?.person.username ??
  request.loginHint ??
  ''

async function secondFactorQuestion(
  state: InteractionState,
  step: SecondFactorStep,
  deps: QuestionDependencies,
): Promise<SecondFactorQuestion> {
  const { subject, passkeyOnly } = step
  return {
    account: displayedPerson(personOf(state, subject)),
    factors: state.factors.get(subject) ?? noFactors,
    passkeyOnly,
    rememberFor: deps.policy.rememberedBrowserTtl,
    passkey: await passkeyQuestion({ purpose: state.row.handle, of: subject }, state.visitor, deps),
  }
}

function personOf({ accounts, pendingSecondFactor: pending }: InteractionState, subject: string): Person {
  const found = [...accounts, ...(pending === null ? [] : [pending])].find(({ person }) => person.id === subject)
  if (found === undefined) throw new Error('the next step is about somebody who is here')
  return found.person
}

function consentQuestion(
  state: InteractionState,
  step: Extract<InteractionStep, { go: 'consent' }>,
  deps: QuestionDependencies,
): InteractionQuestion {
  const { accounts, catalogue, client, request } = state
  const account = accounts.find(({ authentication }) => authentication.sessionId === step.account.sessionId)
  if (account === undefined) throw new Error('the answering account is one of the accounts')
  const requested = catalogue.resources.filter(({ identifier }) => request.resources.includes(identifier))
  const { refreshIdleTtl: idle, refreshMaxTtl: max, accessTtl } = deps.policy
  return {
    go: 'consent',
    ...questionContext(state, deps),
    account: displayedAccount(account),
    question: step.question,
    scopes: catalogueIndex(catalogue).scopes,
    detailTypes: catalogue.authorizationDetailTypes ?? [],
    resources: requested.map(({ name, identifier }) => ({ name, identifier })),
    accessTtl: Math.max(accessTtl, ...requested.map((resource) => resource.accessTtl ?? accessTtl)),
    lasting: mayRefresh(client, new Set(request.scope)) ? { idle, max } : null,
    now: deps.clock.now(),
  }
}
