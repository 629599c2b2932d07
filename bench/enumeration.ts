/** Whether timing distinguishes a wrong secret from an unknown client: interleaved samples and a rank statistic. */
import { clientId } from './contestants/client.ts'
import type { Contestant } from './contestants/contestant.ts'
import { applyLoad, formRequest } from './load.ts'
import { chanceGreater, median, rounded } from './statistics.ts'

const attempt = (id: string): Buffer =>
  formRequest({
    path: '/token',
    basic: [id, 'a-wrong-secret-of-32-or-more-characters'],
    form: { grant_type: 'client_credentials' },
  })

export async function measureEnumeration({ port }: Contestant, samples: number) {
  const took = { known: [] as number[], unknown: [] as number[] }
  for (let n = 0; n < samples; n++) {
    // A new name of the same length each time, as an attacker would try them.
    const unknownId = String(n).padStart(clientId.length, 'x').slice(-clientId.length)
    for (const [kind, id] of (n % 2 === 0 ? order : order.toReversed()).map(
      (kind) => [kind, kind === 'known' ? clientId : unknownId] as const,
    )) {
      const request = attempt(id)
      const { latencies } = await applyLoad({ port, request: () => request, connections: 1, requests: 1 })
      took[kind].push(latencies[0] ?? Number.NaN)
    }
  }
  return {
    samples,
    median_ms: { known: rounded(median(took.known), 3), unknown: rounded(median(took.unknown), 3) },
    chance_that_known_takes_longer: rounded(chanceGreater(took.known, took.unknown), 3),
  }
}

const order = ['known', 'unknown'] as const
