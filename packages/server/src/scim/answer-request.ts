/** Answers an admitted request to the SCIM service. */
import { ok, type Result } from '@grantor/protocol/result'
import { isWanted, type Projection, type ScimError } from '@grantor/protocol/scim'
import type { Json } from '@grantor/protocol/types'
import type { ReceivedScim } from './admission.ts'
import { bulk } from './bulk-requests.ts'
import type { ServedCollection } from './collections.ts'
import { queryIn, searchIn } from './query.ts'
import { scimBody } from './request-body.ts'
import { readMany, readOne, type Serving, write, writtenAnswer } from './resource-requests.ts'
import type { Destination } from './routing.ts'
import { type ScimAnswer, scimRefusal } from './scim-responder.ts'

export interface AdmittedScim {
  readonly received: ReceivedScim
  readonly search: string
  readonly root: string
  readonly call: Omit<Serving['call'], 'wants'>
  readonly collections: readonly ServedCollection[]
}

export type Authorized = Exclude<Destination, { kind: 'document' }>

export async function answerScim(
  to: Authorized,
  { received, search, root, call: by, collections }: AdmittedScim,
): Promise<ScimAnswer> {
  const query = to.kind === 'bulk' || to.kind === 'search' ? queryIn('') : queryIn(search)
  if (query.kind === 'error') return scimRefusal(query.error)
  const call = showing(by, query.value.projection)
  const header = (name: string): string | null => received.headers.get(name)
  if (to.kind === 'list') return readMany(to.of, { root, call }, query.value)
  if (to.kind === 'read') {
    const conditions = { ifNoneMatch: header('if-none-match'), projection: query.value.projection }
    return readOne({ collection: to.collection, root, call }, to.id, conditions)
  }
  const hasBody = to.kind !== 'write' || to.method !== 'DELETE'
  const body: Result<Json, ScimError> = hasBody ? await scimBody(received) : ok(null)
  if (body.kind === 'error') return scimRefusal(body.error)
  if (to.kind === 'bulk') return bulk(body.value, { root, call: { ...by, wants: () => false } }, collections)
  if (to.kind === 'search') {
    const asked = searchIn(body.value)
    if (asked.kind === 'error') return scimRefusal(asked.error)
    return readMany(to.of, { root, call: showing(by, asked.value.projection) }, asked.value)
  }
  const { method, collection, id } = to
  const request = { method, id, ifMatch: header('if-match'), body: body.value, projection: query.value.projection }
  const isShown = method !== 'PATCH' || collection.showsPatched || query.value.projection.only !== null
  const serving = { collection, root, call: isShown ? call : { ...by, wants: () => false } }
  return writtenAnswer(await write(serving, request), serving, request)
}

const showing = (call: AdmittedScim['call'], projection: Projection): Serving['call'] => ({
  ...call,
  wants: (attribute) => isWanted(projection, attribute),
})
