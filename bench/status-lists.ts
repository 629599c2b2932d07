/** `node bench/status-lists.ts`: the cost to make, send and read a status list, and of one place in a list. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  decodeStatuses,
  emptyStatuses,
  encodeStatuses,
  setInvalid,
  statusListSize,
} from '@grantor/protocol/status-list'
import type { Instant, TenantId } from '@grantor/protocol/types'
import { openSqlite } from '@grantor/store/sqlite'
import { temporaryFolder } from '../interop/server.ts'
import { keepReport } from './report.ts'
import { median, rounded } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const rounds = values.quick ? 3 : 15
const leases = values.quick ? 100 : 1_000
const blockSize = 1024
const liveTokens = 100_000_000

/**
 * A list with the fraction `revoked` of its tokens revoked at random places, which compresses worse than neighbours.
 */
function listWith(revoked: number): Uint8Array {
  const bytes = emptyStatuses()
  const chance = randomBytes(4 * Math.round(revoked * statusListSize))
  for (let at = 0; at < chance.length; at += 4) setInvalid(bytes, chance.readUInt32LE(at) % statusListSize)
  return bytes
}

/** Median of CPU milliseconds of all threads of this process, because compression runs outside the event loop. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(before)
    taken.push((user + system) / 1000)
  }
  return rounded(median(taken), 2)
}

const lists = []
for (const revoked of [0, 0.01, 0.1]) {
  const bytes = listWith(revoked)
  const lst = await encodeStatuses(bytes)
  lists.push({
    revoked,
    bytes_of_lst: lst.length,
    bytes_of_lst_at_level_9: (await encodeStatuses(bytes, 9)).length,
    cpu_ms_to_pack: await cpuOf(() => encodeStatuses(bytes)),
    cpu_ms_to_pack_at_level_9: await cpuOf(() => encodeStatuses(bytes, 9)),
    cpu_ms_to_unpack: await cpuOf(() => decodeStatuses(lst, statusListSize / 8)),
  })
}

using folder = temporaryFolder()
const key = randomBytes(32)
const store = await openSqlite({
  path: join(folder.path, 'grantor.db'),
  auditKey: (sealed) => ({ key, sealed: sealed ?? key }),
})
const tenant = 'default' as TenantId
const until = (Date.now() + 3_600_000) as Instant
const before = process.cpuUsage()
for (let n = 0; n < leases; n++) await store.statusLists.lease({ tenant, size: blockSize, until, newList: `list-${n}` })
const { user, system } = process.cpuUsage(before)
await store.close()

const count = Math.ceil(liveTokens / statusListSize)
const report = {
  tokens_in_a_list: statusListSize,
  lists,
  lease: {
    database: 'sqlite, every lease its own commit',
    leases,
    cpu_us_for_each_token: rounded((user + system) / leases / blockSize, 3),
  },
  /** Calculated: one list was measured, and lists do not affect each other. */
  extrapolated_to_tokens: liveTokens,
  extrapolated: lists.map((it) => ({
    revoked: it.revoked,
    lists: count,
    megabytes_of_bits_in_a_process: rounded((count * statusListSize) / 8 / 1e6),
    megabytes_to_fetch_all: rounded((count * it.bytes_of_lst) / 1e6, 2),
    cpu_s_to_pack_all: rounded((count * it.cpu_ms_to_pack) / 1000),
  })),
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('status-lists', report)
