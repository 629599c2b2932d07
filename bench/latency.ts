/** `node bench/latency.ts`: how long a token takes to come at a tenth of what can be issued, at a half, and close to all of it. */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { temporaryFolder } from '../interop/server.ts'
import { tokenRequest } from './contestants/client.ts'
import { allocator, type Contestant, startGrantor, startProgram } from './contestants/contestant.ts'
import { curveChart } from './curves.ts'
import { applyLoad, closeHttpSockets, type LoadResult, openHttpSockets, sendRequests } from './load.ts'
import { keepPlot, keepReport } from './report.ts'
import { median, quantile, rounded, spread } from './statistics.ts'
import { names } from './token-picture.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { rounds: 1, seconds: 1, warmUp: 8_000 }
  : // Many short ones: a stall of the machine is in the p99 of one of them.
    { rounds: 7, seconds: 3, warmUp: 40_000 }
/** Parts of what each is able to issue. Above all of it waiting has no end; what happens there `overload.ts` shows. */
const shares = [0.1, 0.25, 0.5, 0.75, 0.9]
/** `able` is found with so many that wait for their answers; a schedule needs a free one for whatever is due. */
const [waiting, scheduled] = [64, 256]
/** Milliseconds at half of what can be issued. */
const target = 25

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const running = (contestant: Contestant): Contestant => stack.adopt(contestant, (one) => one.stop())
const request = tokenRequest()

interface Measuring {
  readonly name: string
  readonly contestant: Contestant
  /** Tokens a second, one for each round: what the machine gives moves. */
  readonly able: number[]
  /** For each share, one for each round. */
  readonly p50: number[][]
  readonly p99: number[][]
}

const measuring = (name: string, contestant: Contestant): Measuring => ({
  name,
  contestant: running(contestant),
  able: [],
  p50: shares.map(() => []),
  p99: shares.map(() => []),
})

/** Over connections that were used once: to accept so many at once takes a server some of what is measured. */
async function onSchedule(port: number, rate: number): Promise<LoadResult> {
  const sockets = await openHttpSockets(port, scheduled)
  try {
    await sendRequests(sockets, { request: () => request, requests: scheduled })
    return await sendRequests(sockets, { request: () => request, milliseconds: plan.seconds * 1000, rate })
  } finally {
    closeHttpSockets(sockets)
  }
}

async function round({ name, contestant: { port }, able, p50, p99 }: Measuring): Promise<void> {
  const load = { port, request: () => request, milliseconds: plan.seconds * 1000, connections: waiting }
  const full = await applyLoad(load)
  const rate = full.requests / full.seconds
  able.push(rate)
  for (const [n, share] of shares.entries()) {
    const { failures, latencies } = await onSchedule(port, rate * share)
    if (failures > 0) throw new Error(`${name}: ${failures} failed at ${share} of what it is able to issue`)
    p50[n]?.push(quantile(latencies, 0.5))
    p99[n]?.push(quantile(latencies, 0.99))
  }
}

const database = stack.use(await temporaryDatabase())
const postgres = {
  GRANTOR_DATABASE_URL: database.url,
  GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789',
}
const all = [
  measuring(names.sqlite, await startGrantor(stack.use(temporaryFolder()), {})),
  measuring(names.postgres, await startGrantor(stack.use(temporaryFolder()), postgres)),
  measuring(names.peer, await startProgram('oidc-provider.ts')),
]
for (const { contestant } of all)
  await applyLoad({ port: contestant.port, request: () => request, connections: waiting, requests: plan.warmUp })
for (let n = 0; n < plan.rounds; n++) {
  say(`round ${n + 1} of ${plan.rounds}`)
  for (const one of all) await round(one)
}

const measured = all.map(({ name, able, p50, p99 }) => ({
  name,
  able_per_second: spread(able, 0),
  by_share: shares.map((share, n) => ({ share, p50_ms: spread(p50[n] ?? [], 2), p99_ms: spread(p99[n] ?? [], 2) })),
}))
const half = shares.indexOf(0.5)
const report = {
  plan,
  allocator,
  measured,
  targets: Object.fromEntries(
    all
      .filter(({ name }) => name !== names.peer)
      .map(({ name, p99 }) => [
        `${name}: p99 below ${target} ms at half of saturation`,
        median(p99[half] ?? []) < target,
      ]),
  ),
}
for (const { name, able_per_second: able, by_share: byShare } of measured)
  say(`${name}: ${able.median}/s; p99 ${byShare.map(({ share, p99_ms: p99 }) => `${share}: ${p99.median}`).join(', ')}`)
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else {
  keepReport('latency', report)
  keepPlot(
    'latency',
    curveChart({
      title: 'How long a token takes under load',
      subtitle: 'The slowest hundredth, from when a request was due; each at parts of what it can issue itself',
      xUnit: '% of what can be issued',
      yUnit: 'milliseconds, p99',
      curves: measured.map(({ name, by_share: byShare }) => ({
        label: name,
        points: byShare.map(({ share, p99_ms: p99 }) => ({ x: share * 100, y: rounded(p99.median) })),
        ours: name !== names.peer,
      })),
      marks: [{ y: target, label: `at most ${target} ms at half` }],
    }),
  )
}
