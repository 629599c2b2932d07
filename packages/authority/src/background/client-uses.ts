/**
 * When clients last received a token: noted in memory, at almost no cost per token, and written together every minute.
 * A node that dies loses up to a minute of notes; a client that asks again is noted again.
 */
import type { Client } from '@grantor/protocol/registration'
import type { Instant } from '@grantor/protocol/types'
import type { ClientUse, Store } from '@grantor/store'
import type { UseRecorder } from '../events.ts'
import { openLoop } from './loop.ts'

export interface ClientUses extends UseRecorder {
  begin(): void
  /** Writes the noted uses. */
  flush(): Promise<void>
  close(): Promise<void>
}

const every = 60_000
/** Per commit, so that other writes do not wait long behind it. */
const writtenTogether = 200
/** Uses noted at most; beyond, they are written before the minute is over. */
const mostKept = 20_000

export function openClientUses({ store }: { readonly store: Pick<Store, 'clients'> }): ClientUses {
  /** Keyed by the client object of the directory, so that no key has to be built for every token. */
  let noted = new Map<Client, Instant>()

  async function flush(): Promise<void> {
    const latest = new Map<string, ClientUse>()
    for (const [{ tenant, id }, at] of noted) latest.set(`${tenant} ${id}`, { tenant, id, at })
    noted = new Map()
    const uses = [...latest.values()]
    // Uses that an outage keeps from being written are lost until the client's next token.
    for (let from = 0; from < uses.length; from += writtenTogether)
      await store.clients.noteUses(uses.slice(from, from + writtenTogether))
  }

  const loop = openLoop(flush, { every })
  return {
    note(client, at) {
      noted.set(client, at)
      if (noted.size === mostKept) loop.wake()
      if (noted.size > 2 * mostKept) noted.clear()
    },
    flush,
    begin: () => loop.begin(),
    async close() {
      await loop.close()
      await flush().catch(() => undefined)
    },
  }
}
