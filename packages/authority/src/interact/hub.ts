/** The hub: looks where a person stands, and shows the next step or gives the client its answer. */
import { noFactors, type SecondFactorStep, type Step } from '@grantor/protocol/authorize'
import { mayRefresh } from '@grantor/protocol/grants'
import { indexOf, isRefusal, type Refusal } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import type { Secret } from '@grantor/protocol/types'
import { passkeyQuestion } from '../factors/passkey-sign-in.ts'
import type { Hands } from '../hands.ts'
import { answer } from './authorize.ts'
import { isDevice, type Place, placeOf } from './interaction.ts'
import { respond } from './issue-code.ts'
import { approveDevice, denyDevice, settledDevice } from './settle-device.ts'
import { shownAccount, shownClient, shownPerson } from './display.ts'
import type { Asked, SecondFactorQuestion, Shown } from './response.ts'
import type { Visitor } from './visitor.ts'

export async function stand(interaction: Secret, visitor: Visitor, hands: Hands): Promise<Shown | 'stale'> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place))
    return place.reason === 'interaction_gone'
      ? settledDevice(interaction, visitor, hands)
      : { go: 'error', refusal: place }
  const { step } = place
  if (step.go === 'refuse') return refuse(place, step.refusal, hands)
  if (step.go !== 'respond') return asked(place, step, hands)
  return isDevice(place) ? approveDevice(place, step, hands) : respond(place, step, hands)
}

/** Only looks: what the person is asked now, null where nothing is left to ask. Answers nobody and closes nothing. */
export async function look(interaction: Secret, visitor: Visitor, hands: Hands): Promise<Asked | null> {
  const place = await placeOf(interaction, visitor, hands)
  if (isRefusal(place) || place.step.go === 'refuse' || place.step.go === 'respond') return null
  return asked(place, place.step, hands)
}

async function asked(place: Place, step: Extract<Step, { go: Asked['go'] }>, hands: Hands): Promise<Asked> {
  switch (step.go) {
    case 'login': {
      const [again, username] = [step.again !== null, usernameFor(place, step)]
      const passkey = await passkeyQuestion({ purpose: place.row.handle, of: null }, place.visitor, hands)
      return { go: 'login', ...ground(place, hands), again, username, passkey }
    }
    case 'second-factor':
      return { go: 'second-factor', ...ground(place, hands), ...(await further(place, step, hands)) }
    case 'choose':
      return { go: 'choose', ...ground(place, hands), accounts: place.accounts.map(shownAccount) }
    case 'consent':
      return consent(place, step, hands)
  }
}

const ground = ({ client, request, device }: Place, { logos }: Hands) => ({
  device,
  client: shownClient(client, request.redirectUri),
  logo: logos.glimpse(client),
  redirectUri: request.redirectUri,
  uiLocales: request.uiLocales,
})

/** Whoever must prove themselves again, or is hinted at, need not type their name. */
const usernameFor = ({ accounts, request }: Place, { again }: Extract<Step, { go: 'login' }>): string =>
  accounts.find((account) => account.authentication.subject === again?.subject)?.person.username ??
  request.loginHint ??
  ''

async function further(place: Place, step: SecondFactorStep, hands: Hands): Promise<SecondFactorQuestion> {
  const { subject, passkeyOnly } = step
  return {
    account: shownPerson(personOf(place, subject)),
    factors: place.factors.get(subject) ?? noFactors,
    passkeyOnly,
    rememberFor: hands.policy.rememberedBrowserTtl,
    passkey: await passkeyQuestion({ purpose: place.row.handle, of: subject }, place.visitor, hands),
  }
}

function personOf({ accounts, halfway }: Place, subject: string): Person {
  const found = [...accounts, ...(halfway === null ? [] : [halfway])].find(({ person }) => person.id === subject)
  if (found === undefined) throw new Error('the next step is about somebody who is here')
  return found.person
}

function consent(place: Place, step: Extract<Step, { go: 'consent' }>, hands: Hands): Asked {
  const { accounts, catalogue, client, request } = place
  const account = accounts.find((it) => it.authentication.sessionId === step.account.sessionId)
  if (account === undefined) throw new Error('the answering account is one of the accounts')
  const asked =
    request.resources.length === 0 ? [] : catalogue.resources.filter((it) => request.resources.includes(it.identifier))
  const { refreshIdleTtl: idle, refreshMaxTtl: max, accessTtl } = hands.policy
  return {
    go: 'consent',
    ...ground(place, hands),
    account: shownAccount(account),
    question: step.question,
    scopes: indexOf(catalogue).scopes,
    resources: asked.map(({ name, identifier }) => ({ name, identifier })),
    accessTtl: Math.max(accessTtl, ...asked.map((it) => it.accessTtl ?? 0)),
    lasting: mayRefresh(client, new Set(request.scope)) ? { idle, max } : null,
    now: hands.now(),
  }
}

/** The interaction is over before its answer leaves. */
async function refuse(place: Place, refusal: Refusal, hands: Hands): Promise<Shown> {
  if (isDevice(place)) return denyDevice(place, hands)
  await hands.store.interactions.close(place.visitor.tenant, place.row.handle, hands.now())
  return answer(place.request, refusal, hands.issuerOf(place.visitor.tenant))
}
