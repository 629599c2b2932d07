/** Shared Signals without HTTP: streams, their subjects, and the events that wait for polling receivers. */
import type { QuotaDecision } from '@grantor/protocol/http'
import { err, ok } from '@grantor/protocol/result'
import { mostSubjectsOfStream, readSubject } from '@grantor/protocol/ssf'
import type { Json, TenantId } from '@grantor/protocol/types'
import type { Store } from '@grantor/store'
import type { Directory } from '../directory.ts'
import type { CountedLimits } from '../limits/limits.ts'
import { acknowledge } from './acknowledge.ts'
import { verificationOf } from './about-stream.ts'
import { findNamedPerson } from './named-person.ts'
import { openPolls, type Poll } from './polls.ts'
import { invalid, noStream, type SsfResult } from './result.ts'
import type { SetDependencies } from './signed-set.ts'
import { ownStream, openStreams, type SsfCall, type StreamDependencies, type Streams } from './streams.ts'
import { settingsOf } from './stream-settings.ts'

export interface SharedSignals extends Streams {
  /** The answer does not reveal whether the person exists. */
  nameSubject(call: SsfCall, to: { id: string; subject: Json; removed: boolean }): Promise<SsfResult<null>>
  verify(call: SsfCall, id: string, state: string | null): Promise<SsfResult<null>>
  /** Returns SETs by their ids. */
  poll(
    call: SsfCall,
    id: string,
    request: Poll,
  ): Promise<SsfResult<{ readonly sets: Readonly<Record<string, string>>; readonly moreAvailable: boolean }>>
  /** Counts a request of the client; null where nothing is counted. */
  take(tenant: TenantId, clientId: string): Promise<QuotaDecision | null>
}

export interface SharedSignalDependencies extends StreamDependencies, Omit<SetDependencies, 'directory'> {
  readonly directory: Directory
  readonly limits: CountedLimits
  readonly store: Pick<Store, 'eventDeliveries' | 'eventReceivers' | 'events' | 'keys' | 'streamSubjects' | 'users'>
}

const full = err({
  status: 403,
  err: 'too_many_subjects',
  description: `A stream names at most ${mostSubjectsOfStream} people.`,
} as const)

export function openSharedSignals(deps: SharedSignalDependencies): SharedSignals {
  const { clock, directory, ids, limits, store } = deps
  const poll = openPolls(deps)
  return {
    ...openStreams(deps),
    take: async (tenant, clientId) => limits.take('ssf', `${tenant} ${clientId}`),

    async nameSubject(call, { id, subject, removed }) {
      const named = readSubject(subject)
      if (named === null) return invalid('subject is an identifier of a format that is taken here, and not too long.')
      const row = await ownStream(call, id, store)
      if (row === null) return noStream
      const { tenant } = call.origin
      const client = await directory.client(tenant, call.clientId)
      const person = client === null ? null : await findNamedPerson(named.person, client, deps)
      if (person === null) return ok(null)
      const it = { tenant, stream: id, subject: person, removed, subId: removed ? null : named.subId }
      const done = await store.streamSubjects.put({ ...it, at: clock.now(), most: mostSubjectsOfStream })
      if (done === 'full') return full
      return done === 'put' ? ok(null) : noStream
    },

    async verify(call, id, state) {
      const row = await ownStream(call, id, store)
      if (row === null) return noStream
      const notice = verificationOf(row, state, { id: ids.id(), now: clock.now() })
      const queued = await store.eventDeliveries.queue(notice, [])
      return queued === 'queued' ? ok(null) : invalid('The stream is disabled.')
    },

    async poll(call, id, request) {
      const row = await ownStream(call, id, store)
      if (row === null || settingsOf(row).method !== 'poll') return noStream
      await acknowledge({ call, stream: id, request }, deps)
      return ok(await poll(row, request))
    },
  }
}
