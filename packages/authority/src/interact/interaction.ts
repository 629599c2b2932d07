/** The state of a person in an interaction: everything that decides the next step, loaded once. */
import {
  asksEachTime,
  type AuthorizationRequest,
  type Factors,
  type InteractionFacts,
  nextStep,
  type InteractionProgress,
  rememberedConsent,
  type InteractionStep,
  whoAnswers,
} from '@grantor/protocol/authorize'
import type { AskingDevice } from '@grantor/protocol/device'
import type { Served } from '@grantor/protocol/documents'
import { servesBackchannel, servesDevices } from '@grantor/protocol/grants'
import { type Catalogue, matchRedirectUri, type Refusal } from '@grantor/protocol/oauth'
import { type Client, isFirstPartyAt } from '@grantor/protocol/registration'
import { err, ok, type Result } from '@grantor/protocol/result'
import type { Secret } from '@grantor/protocol/types'
import type { InteractionRow, Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import { subjectFor } from '../tokens/subject-for.ts'
import {
  type PendingFactorDependencies,
  type PendingSecondFactor,
  pendingSecondFactorOf,
} from './pending-second-factor.ts'
import { isStillValid } from './earlier-consent.ts'
import { findInteraction, keptInteraction, type SealedInteractionDependencies } from './sealed-interaction.ts'
import { type Account, type AccountDependencies, accountsOf, browserHandle, type Visitor } from './visitor.ts'

export type InteractionDependencies = AccountDependencies &
  PendingFactorDependencies &
  SealedInteractionDependencies & {
    readonly directory: Directory
    readonly served: Pick<Served, 'grantTypes'>
    readonly store: Pick<Store, 'interactions' | 'consents' | 'factors' | 'keys'>
  }

export interface InteractionState {
  readonly visitor: Visitor
  readonly row: InteractionRow
  readonly request: AuthorizationRequest
  readonly progress: InteractionProgress
  /** The device whose code was typed, or the CIBA request; null where a client sent the browser. */
  readonly device: AskingDevice | null
  readonly client: Client
  readonly catalogue: Catalogue
  readonly accounts: readonly Account[]
  readonly pendingSecondFactor: PendingSecondFactor | null
  /** The factors of the people who may be asked for a second factor, by subject. */
  readonly factors: ReadonlyMap<string, Factors>
  /** The newest consent record that is still valid between the person and the client. */
  readonly rememberedRecord: string | null
  readonly step: InteractionStep
}

/** No person has this id. */
const unknownPerson = ''

/**
 * The id of the person whom the client means by a `sub`. A pairwise `sub` (OIDC Core §8.1) cannot be turned back
 * into an id, so it is compared with those of the people in this browser.
 */
function personNamed(
  sub: string | null,
  /** `present`: the ids of everybody who is signed in here or has only the second factor left. */
  { client, present }: { readonly client: Client; readonly present: readonly string[] },
  store: Pick<Store, 'keys'>,
): string | null {
  if (sub === null || client.metadata.subject_type !== 'pairwise') return sub
  return present.find((person) => subjectFor(client, person, store) === sub) ?? unknownPerson
}

async function factorsOf(
  subjects: readonly (string | null)[],
  { tenant }: Visitor,
  { store }: InteractionDependencies,
): Promise<ReadonlyMap<string, Factors>> {
  const found = new Map<string, Factors>()
  for (const subject of subjects) if (subject !== null) found.set(subject, await store.factors.of(tenant, subject))
  return found
}

/** The device or CIBA request that asks; null where a client sent the browser. */
export const askingDevice = ({ kind, request }: InteractionRow): AskingDevice | null =>
  kind === 'device' ? (request as unknown as { device: AskingDevice }).device : null

export const isOfDevice = (state: InteractionState): state is InteractionState & { readonly device: AskingDevice } =>
  state.device !== null

export const closeInteraction = async ({ row }: InteractionState, { clock, store }: InteractionDependencies) =>
  store.interactions.close(keptInteraction(row), clock.now())

export async function loadInteraction(
  secret: Secret,
  visitor: Visitor,
  deps: InteractionDependencies,
): Promise<Result<InteractionState, Refusal>> {
  const row = await findInteraction(secret, visitor.tenant, deps)
  if (row === null || row.kind === 'logout' || row.closedAt !== null || row.expiresAt <= deps.clock.now())
    return err({ reason: 'interaction_gone' })
  // The operator may have switched the flow off after the interaction began.
  const asking = askingDevice(row)
  const served = asking?.backchannel === undefined ? servesDevices : servesBackchannel
  if (asking !== null && !served(deps.served)) return err({ reason: 'interaction_gone' })
  // An interaction belongs to the browser that began it: a victim cannot finish an attacker's, nor the reverse.
  if (row.browser !== browserHandle(visitor, deps.ids)) return err({ reason: 'interaction_of_another_browser' })
  return interactionState(row, visitor, deps)
}

/** The state of the person in this browser, whether or not the interaction is stored. */
export async function interactionState(
  row: InteractionRow,
  visitor: Visitor,
  deps: InteractionDependencies,
): Promise<Result<InteractionState, Refusal>> {
  const now = deps.clock.now()
  // Rows from before pushed requests existed lack that field.
  const asked = { pushed: null, ...row.request } as unknown as AuthorizationRequest
  const progress = row.progress as unknown as InteractionProgress
  const catalogue = await deps.directory.servedCatalogue(visitor.tenant)
  const client = await deps.directory.currentClient(visitor.tenant, asked.clientId)
  if (catalogue === null) return err({ reason: 'tenant_unknown' })
  if (client === null || client.disabledAt !== null) return err({ reason: 'client_unknown' })
  // A redirect URI that was removed meanwhile gets no answer, not even a refusal.
  if (row.kind === 'authorize' && matchRedirectUri(asked.redirectUri, client.metadata, deps.policy.addresses) === null)
    return err({ reason: 'redirect_uri_unregistered' })

  const accounts = await accountsOf(visitor, deps)
  const pending = await pendingSecondFactorOf(visitor, deps)
  const present = [...accounts, ...(pending === null ? [] : [pending])].map(({ person }) => person.id)
  const request = { ...asked, subject: personNamed(asked.subject, { client, present }, deps.store) }
  const authentications = accounts.map((account) => account.authentication)
  const answering = whoAnswers({ request, progress, accounts: authentications })
  const subject = answering === null || answering === 'choose' ? null : answering.subject
  const records = subject === null ? [] : await deps.store.consents.inForce(visitor.tenant, subject, client.id, now)
  const factors = await factorsOf([subject, pending?.person.id ?? null], visitor, deps)
  const validConsents = records.filter((record) => isStillValid(record, client, deps.ids))
  const facts: InteractionFacts = {
    request,
    progress,
    openedAt: row.openedAt,
    accounts: authentications,
    proven: pending === null ? null : { subject: pending.person.id, at: pending.at },
    factors,
    remembered: rememberedConsent(validConsents),
    eachTime: asksEachTime(client, request.redirectUri),
    firstParty: isFirstPartyAt(client, request.redirectUri),
    person: accounts.find((account) => account.person.id === subject)?.person ?? null,
    catalogue,
    now,
  }
  const device = askingDevice(row)
  const step = nextStep(facts)
  return ok({
    visitor,
    row,
    request,
    progress,
    device,
    client,
    catalogue,
    accounts,
    pendingSecondFactor: pending,
    factors,
    rememberedRecord: validConsents.at(-1)?.id ?? null,
    step,
  })
}
