/** How the scope of a token comes about, step by step: each step shows the scope that remains after it. */
import { asksEachTime, rememberedConsent } from '@grantor/protocol/authorize'
import { intersect, type Scope, without } from '@grantor/protocol/oauth'
import type { Person } from '@grantor/protocol/people'
import { type Client, isFirstPartyAt } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import { isStillValid } from '../../interact/earlier-consent.ts'
import type { Ids } from '../../ports/environment.ts'

export interface PreviewStep {
  /** `person` and `consent` only where the token speaks for a person. */
  readonly step: 'asked' | 'client' | 'person' | 'consent' | 'token'
  /** The scope that remains after the step. */
  readonly scope: Scope
  /** For `consent`: the scope for which the person has yet to consent. The preview assumes that they will. */
  readonly unanswered?: Scope
}

/** The scope that remains after each narrowing. */
export interface NarrowedScope {
  readonly asked: Scope
  readonly registered: Scope
  readonly held: Scope
  readonly given: Scope
}

export interface StepDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
  readonly store: Pick<Store, 'consents'>
}

export async function previewSteps(
  { asked, registered, held, given }: NarrowedScope,
  { client, person, now }: { readonly client: Client; readonly person: Person | null; readonly now: Instant },
  deps: StepDependencies,
): Promise<readonly PreviewStep[]> {
  const forPerson: readonly PreviewStep[] =
    person === null
      ? []
      : [
          { step: 'person', scope: held },
          { step: 'consent', scope: held, unanswered: await unanswered(held, { client, person, now }, deps) },
        ]
  return [
    { step: 'asked', scope: asked },
    { step: 'client', scope: registered },
    ...forPerson,
    { step: 'token', scope: given },
  ]
}

/** The scope that a request without `prompt` would ask consent for, whichever redirect URI of the client it names. */
async function unanswered(
  held: Scope,
  { client, person, now }: { readonly client: Client; readonly person: Person; readonly now: Instant },
  { ids, store }: StepDependencies,
): Promise<Scope> {
  const { redirect_uris: addresses } = client.metadata
  if (addresses.length > 0 && addresses.every((uri) => isFirstPartyAt(client, uri))) return new Set()
  if (addresses.some((uri) => asksEachTime(client, uri))) return held
  const records = await store.consents.inForce(client.tenant, person.id, client.id, now)
  const remembered = rememberedConsent(records.filter((it) => isStillValid(it, client, ids)))
  return remembered === null ? held : without(held, intersect(held, remembered.scope))
}
