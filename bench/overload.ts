/**
 * `node bench/overload.ts`: requests for three times as many tokens as can be issued. Accepted requests must stay fast,
 * the rest must be refused at once, and after the overload everything must be as before.
 */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { temporaryFolder } from '../interop/server.ts'
import { tokenRequest } from './contestants/client.ts'
import { type Contestant, startGrantor } from './contestants/contestant.ts'
import { closeHttpSockets, openHttpSockets, sendRequests } from './load.ts'
import { keepReport } from './report.ts'
import { median, quantile, rounded } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const milliseconds = values.quick ? 2_000 : 10_000
const rounds = values.quick ? 1 : 3
/** Connections from one address; fewer than `connections.per_address`. */
const connections = 1_000
const factor = 3

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Answers of one kind, with how long they took from when they were sent, and from when they were due. */
interface Answers {
  readonly per_second: number
  readonly p50_ms: number
  readonly p99_ms: number
  /** Including the wait for a free connection: once all are busy, the requests fall behind their schedule. */
  readonly p99_due_ms: number
}

interface Latency {
  readonly sent: number
  readonly due: number
}

const answersOf = (latencies: readonly Latency[], seconds: number): Answers => {
  const ascending = (of: keyof Latency): readonly number[] => latencies.map((it) => it[of]).toSorted((a, b) => a - b)
  return {
    per_second: Math.round(latencies.length / seconds),
    p50_ms: rounded(quantile(ascending('sent'), 0.5)),
    p99_ms: rounded(quantile(ascending('sent'), 0.99)),
    p99_due_ms: rounded(quantile(ascending('due'), 0.99)),
  }
}

/** Sends requests on a schedule, whether or not earlier ones are answered. */
async function asked({ port }: Contestant, rate: number) {
  const sockets = await openHttpSockets(port, connections)
  const began = performance.now()
  const due: number[] = []
  const accepted: Latency[] = []
  const refused: Latency[] = []
  const other: Latency[] = []
  const request = tokenRequest()
  try {
    // A connection has one request at a time, so an answer belongs to the last request on its connection.
    const result = await sendRequests(
      sockets.map((socket) => ({
        ...socket,
        async send(bytes: Buffer, whole: boolean) {
          const at = began + (due.push(0) / rate) * 1000
          const sentAt = performance.now()
          const answer = await socket.send(bytes, whole)
          const now = performance.now()
          const kind = answer.status === 200 ? accepted : answer.status === 503 ? refused : other
          kind.push({ sent: now - sentAt, due: now - at })
          return answer
        },
      })),
      { request: () => request, milliseconds, rate },
    )
    const { seconds } = result
    return {
      offered_per_second: Math.round(rate),
      asked_per_second: Math.round(result.requests / seconds),
      accepted: answersOf(accepted, seconds),
      refused: answersOf(refused, seconds),
      others: other.length,
    }
  } finally {
    closeHttpSockets(sockets)
  }
}

/** Requests per second if every connection waits for its answer before the next request. */
async function capacity({ port }: Contestant): Promise<number> {
  const sockets = await openHttpSockets(port, 64)
  try {
    await sendRequests(sockets, { request: () => tokenRequest(), requests: values.quick ? 4_000 : 30_000 })
    const { requests, seconds } = await sendRequests(sockets, { request: () => tokenRequest(), milliseconds })
    return requests / seconds
  } finally {
    closeHttpSockets(sockets)
  }
}

async function round(contestant: Contestant) {
  const able = await capacity(contestant)
  const quiet = await asked(contestant, able / 2)
  const storm = await asked(contestant, factor * able)
  const afterwards = await asked(contestant, able / 2)
  const goodput = rounded(storm.accepted.per_second / able, 2)
  const slower = rounded(storm.accepted.p99_ms / quiet.accepted.p99_ms, 2)
  return { capacity_per_second: Math.round(able), quiet, storm, afterwards, goodput, p99_to_quiet: slower }
}

/** The phases of a round run one after another, and the machine's speed varies, so the median of the rounds counts. */
async function measured(name: string, contestant: Contestant) {
  const all: Awaited<ReturnType<typeof round>>[] = []
  while (all.length < rounds) all.push(await round(contestant))
  const goodput = median(all.map((it) => it.goodput))
  const slower = median(all.map((it) => it.p99_to_quiet))
  const able = Math.round(median(all.map((it) => it.capacity_per_second)))
  say(`  ${name}: ${able}/s; ${factor} times that: ${goodput} of it served, p99 ${slower} times the quiet one`)
  return { name, goodput, p99_to_quiet: slower, rounds: all }
}

const database = stack.use(await temporaryDatabase())
const env = { GRANTOR_DATABASE_URL: database.url, GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789' }
const results = []
for (const [name, environment] of [
  ['sqlite', {}],
  ['postgres', env],
] as const) {
  const contestant = stack.adopt(await startGrantor(stack.use(temporaryFolder()), environment), (one) => one.stop())
  results.push(await measured(name, contestant))
}
const report = {
  connections,
  seconds: milliseconds / 1000,
  results,
  targets: Object.fromEntries(
    results.flatMap(({ name, goodput, p99_to_quiet: slower, rounds: all }) => [
      [`${name}: at least 0.8 of capacity is served under ${factor} times the load`, goodput >= 0.8],
      [`${name}: what is accepted stays within 3 times its quiet p99`, slower <= 3],
      [`${name}: everything else is refused with 503`, all.every(({ storm }) => storm.others === 0)],
    ]),
  ),
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('overload', report)
