/** The hub: looks where a person stands, and shows the next step or gives the client its answer. */
import { noFactors, type SecondFactorStep, type InteractionStep } from '@grantor/protocol/authorize'
import { mayRefresh } from '@grantor/protocol/grants'
import { catalogueIndex, type Refusal } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import { ok } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import { type PasskeyDependencies, passkeyQuestion } from '../factors/passkey-sign-in.ts'
import type { Logos } from '../clients/logos.ts'
import { type DenialDependencies, recordDenial, refusalToClient } from './refusal-to-client.ts'
import {
  closeInteraction,
  type InteractionDependencies,
  type InteractionState,
  isOfDevice,
  loadInteraction,
} from './interaction.ts'
import { issueCode, type IssueCodeDependencies } from './issue-code.ts'
import { approveDevice, denyDevice, type SettleDeviceDependencies, settledDevice } from './settle-device.ts'
import { displayedAccount, displayedClient, displayedPerson } from './display.ts'
import type { InteractionQuestion, SecondFactorQuestion, InteractionResult } from './response.ts'
import type { Visitor } from './visitor.ts'

export type HubDependencies = InteractionDependencies &
  PasskeyDependencies &
  IssueCodeDependencies &
  SettleDeviceDependencies &
  DenialDependencies & { readonly logos: Logos }

export async function continueInteraction(
  interaction: Secret,
  visitor: Visitor,
  deps: HubDependencies,
): Promise<InteractionResult | 'stale'> {
  const loaded = await loadInteraction(interaction, visitor, deps)
  if (loaded.kind === 'error')
    return loaded.error.reason === 'interaction_gone' ? settledDevice(interaction, visitor, deps) : loaded
  const state = loaded.value
  const { step } = state
  if (step.go === 'refuse') return refuse(state, step.refusal, deps)
  if (step.go !== 'respond') return ok(await questionAt(state, step, deps))
  return isOfDevice(state) ? approveDevice(state, step, deps) : issueCode(state, step, deps)
}

/** Only looks: what the person is asked now, null where nothing is left to ask. Answers nobody and closes nothing. */
export async function currentQuestion(
  interaction: Secret,
  visitor: Visitor,
  deps: HubDependencies,
): Promise<InteractionQuestion | null> {
  const loaded = await loadInteraction(interaction, visitor, deps)
  if (loaded.kind === 'error' || loaded.value.step.go === 'refuse' || loaded.value.step.go === 'respond') return null
  return questionAt(loaded.value, loaded.value.step, deps)
}

async function questionAt(
  state: InteractionState,
  step: Extract<InteractionStep, { go: InteractionQuestion['go'] }>,
  deps: HubDependencies,
): Promise<InteractionQuestion> {
  switch (step.go) {
    case 'login': {
      const [again, username] = [step.again !== null, usernameFor(state, step)]
      const passkey = await passkeyQuestion({ purpose: state.row.handle, of: null }, state.visitor, deps)
      return { go: 'login', ...questionContext(state, deps), again, username, passkey }
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
    case 'consent':
      return consentQuestion(state, step, deps)
  }
}

const questionContext = ({ client, request, device }: InteractionState, { logos }: HubDependencies) => ({
  device,
  client: displayedClient(client, request.redirectUri),
  logo: logos.cachedVersion(client),
  redirectUri: request.redirectUri,
  uiLocales: request.uiLocales,
})

/** Whoever must prove themselves again, or is hinted at, need not type their name. */
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
  deps: HubDependencies,
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
  deps: HubDependencies,
): InteractionQuestion {
  const { accounts, catalogue, client, request } = state
  const account = accounts.find((it) => it.authentication.sessionId === step.account.sessionId)
  if (account === undefined) throw new Error('the answering account is one of the accounts')
  const asked =
    request.resources.length === 0 ? [] : catalogue.resources.filter((it) => request.resources.includes(it.identifier))
  const { refreshIdleTtl: idle, refreshMaxTtl: max, accessTtl } = deps.policy
  return {
    go: 'consent',
    ...questionContext(state, deps),
    account: displayedAccount(account),
    question: step.question,
    scopes: catalogueIndex(catalogue).scopes,
    resources: asked.map(({ name, identifier }) => ({ name, identifier })),
    accessTtl: Math.max(accessTtl, ...asked.map((it) => it.accessTtl ?? 0)),
    lasting: mayRefresh(client, new Set(request.scope)) ? { idle, max } : null,
    now: deps.clock.now(),
  }
}

/** The interaction is over before its answer leaves. */
async function refuse(state: InteractionState, refusal: Refusal, deps: HubDependencies): Promise<InteractionResult> {
  recordDenial(state, refusal, deps)
  if (isOfDevice(state)) return denyDevice(state, deps)
  await closeInteraction(state, deps)
  return refusalToClient(state.request, refusal, deps.issuers.issuerOf(state.visitor.tenant))
}
