/** PostgreSQL: any number of nodes over one database; every verb is a transaction, frequent ones a single statement. */
import { derivedKey, macOf } from '../../contract/chain.ts'
import { ChangeWatcher } from '../change-watcher.ts'
import { storeFromEngine } from '../engine-store.ts'
import type { Engine } from '../engine.ts'
import { callsOn } from './contended-calls.ts'
import { batchable, issueBatches } from './batching/issue-batches.ts'
import { Listener } from './listener.ts'
import { LogParts } from './log-parts.ts'
import { Notary, sealedPosition, sealInBackground } from './notary.ts'
import { openConnections } from './open-connections.ts'
import { type PostgresOptions, targetOf } from './options.ts'
import { databaseTime, readsOn, readSnapshot, untilDurable } from './reads.ts'
import { Room } from './room.ts'
import { askingTwice } from './silence.ts'
import { analyzeInBackground } from './table-statistics.ts'

export { readPostgresSchema } from './open-connections.ts'
export type { PostgresOptions } from './options.ts'

/** Milliseconds; a fallback for LISTEN, which is usually faster. */
const pollEvery = 500

export const openPostgres = async (options: PostgresOptions) => storeFromEngine(await postgresEngine(options))

export async function postgresEngine(options: PostgresOptions): Promise<Engine> {
  const { auditKey, pool, listening } = await openConnections(options)
  const { schema, patience } = targetOf(options)
  const channel = `grantor_${schema}`
  const askTwice = askingTwice(patience)
  const notary = new Notary(pool, auditKey, channel)
  const isServer = options.notary ?? true
  const sealing = isServer ? sealInBackground(notary, askTwice) : null
  const analyzing = isServer ? analyzeInBackground(pool) : null
  const read = readsOn(pool, { patience, askTwice })
  const watcher = new ChangeWatcher(read, pollEvery)
  const heard = (announced: string | null): void => {
    const sealed = announced === null ? null : sealedPosition(announced)
    if (sealed === null) watcher.checkAnnounced()
    else watcher.announceSealed(sealed)
  }
  const hearing = { channel, heard }
  const listener = listening === null ? null : new Listener(listening.target, listening.finder, hearing)
  const issueInBatch = issueBatches(pool, patience)
  const seal = (): void => sealing?.wake()
  const runCall = callsOn(pool, patience, seal)
  const room = new Room(pool)
  let closing: Promise<void> | null = null

  return {
    async run(name, args, breakAt = null) {
      if (breakAt === 0) throw new Error('broken at step 0, as asked')
      const batch = batchable(name, args)
      try {
        if (name === 'limits.probeWrite') await room.check()
        if (batch === null) return (await runCall(name, args, breakAt)) as never
        const answer = await issueInBatch(batch)
        seal()
        return answer as never
      } catch (error) {
        room.noteFault(error)
        throw error
      }
    },
    read,
    snapshot: (begin) => readSnapshot(pool, begin),
    position: () => notary.settledPosition(),
    mac: (head, purpose) => macOf(auditKey, head, purpose),
    logParts: new LogParts(pool, options.leastLogPart),
    derive: (purpose) => derivedKey(auditKey, purpose),
    watchEvents(wake) {
      listener?.begin()
      return watcher.watchEvents(wake)
    },
    watchDirectory(changed) {
      listener?.begin()
      return watcher.watchDirectory(changed)
    },
    time: () => databaseTime(pool),
    ping: async () => void (await askTwice(() => databaseTime(pool))),
    untilDurable: () => untilDurable(pool),
    close: () => (closing ??= close()),
  }

  async function close(): Promise<void> {
    if (sealing !== null) {
      await sealing.close()
      // If the database no longer answers, other nodes seal the remaining events.
      await notary.sealAll().catch(() => {})
    }
    await Promise.all([listener?.close(), watcher.close(), analyzing?.close()])
    await pool.end()
  }
}
