/** Clients that ask for tokens without a pause, of whichever node answers, and how long the slowest went without one. */
import { setTimeout } from 'node:timers/promises'
import type { Node } from '../../test/fleet/fleet.ts'
import { requestToken } from '../../test/faults/service-client.ts'

const clientCount = 8
/** Milliseconds until the same is asked again, of the next node. */
const pause = 25
/** Answers that each must have had before a fault begins, and again when it is over. */
const enough = 50

export interface Clients extends AsyncDisposable {
  /**
   * Milliseconds between two answers of whoever waited longest, from when the fault begins until everybody is served
   * again. The nodes may be others afterwards.
   */
  withoutAnswer(fault: () => Promise<readonly Node[] | void>): Promise<number>
}

interface Client {
  last: number
  longest: number
  answered: number
}

export function askAll(nodes: readonly Node[]): Clients {
  let asked = nodes
  const stop = new AbortController()
  const clients = Array.from({ length: clientCount }, (): Client => ({
    last: performance.now(),
    longest: 0,
    answered: 0,
  }))
  const working = Promise.all(clients.map((client, n) => ask(client, n)))

  async function ask(client: Client, first: number): Promise<void> {
    for (let n = first; !stop.signal.aborted; n++) {
      // Broken connections and 503 are no answers; whatever else is would be a defect, and shows as a wait without end.
      const status = await requestToken(asked[n % asked.length] as Node).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status !== 200) {
        await setTimeout(pause)
        continue
      }
      const now = performance.now()
      client.longest = Math.max(client.longest, now - client.last)
      client.last = now
      client.answered += 1
    }
  }
  async function servedAgain(): Promise<void> {
    const before = clients.map(({ answered }) => answered)
    const until = performance.now() + 120_000
    while (clients.some(({ answered }, n) => answered < (before[n] ?? 0) + enough)) {
      if (performance.now() > until) throw new Error('not served again within two minutes')
      await setTimeout(10)
    }
  }
  return {
    async withoutAnswer(fault) {
      await servedAgain()
      for (const client of clients) client.longest = 0
      asked = (await fault()) ?? asked
      await servedAgain()
      return Math.max(...clients.map(({ longest }) => longest))
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await working
    },
  }
}
