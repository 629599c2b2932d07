/** `node bench/guard.ts`: what the guard adds to a GET on Fastify, Express and Hono, against the same route without it. */
import { parseArgs } from 'node:util'
import { type Contestant, startProgram } from './contestants/contestant.ts'
import { applyLoad } from './load.ts'
import { cpuRatio, type Participant, measureInTurns } from './measure.ts'
import { keepReport } from './report.ts'
import { median } from './statistics.ts'
import { jwks, mint } from './tokens.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { rounds: 8, connections: 64, milliseconds: 150, warmUp: 5_000 }
  : { rounds: 10, connections: 64, milliseconds: 250, warmUp: 20_000 }
/** Several starts, because compilation differs between them, by some µs per request for the life of the process. */
const starts = values.quick ? 1 : 7
/** Callers repeat their tokens; the first check of a token is measured by validation.ts. */
const callers = 1_000

const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Both routes get the same bytes, because the parsing of the token's header is not a cost of the guard. */
const requests = Array.from({ length: callers }, () =>
  Buffer.from(`GET /v1/report HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${mint()}\r\n\r\n`),
)
const inTurn = (): (() => Buffer) => {
  let n = 0
  return () => requests[n++ % callers] as Buffer
}
interface Start {
  readonly measured: Awaited<ReturnType<typeof measureInTurns>>
  readonly ratio: number
}
interface Compared {
  readonly framework: string
  readonly starts: readonly Start[]
  readonly ratio: number
}

/** Measures with and without the guard in turns; both include the cost of the framework. */
async function compareOnce(framework: string): Promise<Start> {
  await using stack = new AsyncDisposableStack()
  const participant = async (name: 'unguarded' | 'guarded'): Promise<Participant> => {
    const program = await startProgram('route.ts', [framework, JSON.stringify(jwks), name])
    return { name, contestant: stack.adopt(program, (one) => one.stop()), requests: inTurn }
  }
  const open = await participant('unguarded')
  const guarded = await participant('guarded')
  await guards(guarded.contestant)
  const measured = await measureInTurns([open, guarded], plan)
  const ratio = cpuRatio(measured, guarded.name, open.name)
  const costs = measured.map(({ name, cpu_us_per_request: cpu }) => `${name} ${cpu.median} µs`)
  say(`  ${framework}: ${costs.join(', ')}, ratio ${ratio}`)
  return { measured, ratio }
}

async function compare(framework: string): Promise<Compared> {
  const all: Start[] = []
  for (let n = 0; n < starts; n++) all.push(await compareOnce(framework))
  const ratio = median(all.map((start) => start.ratio))
  say(`${framework}: ratio ${ratio}, the median of ${starts} starts`)
  return { framework, starts: all, ratio }
}

say(`${starts} starts of ${plan.rounds} rounds of ${plan.milliseconds} ms each`)
const results: Compared[] = []
// Hono is measured twice: guard and handler as one, and the guard as middleware, against middleware that does nothing.
for (const framework of ['fastify', 'express', 'hono', 'hono middleware']) results.push(await compare(framework))
const report = {
  plan: { starts, ...plan },
  tokens: callers,
  frameworks: results.map(({ framework, starts: measured, ratio }) => ({
    framework,
    starts: measured,
    cpu_ratio_guarded_to_unguarded: ratio,
  })),
  targets: Object.fromEntries(
    results.map(({ framework, ratio }) => [
      `${framework}: guarded at most 1.25 times the CPU of the same route unguarded`,
      ratio <= 1.25,
    ]),
  ),
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('guard', report)

/** Checks that the guard refuses an invalid token. */
async function guards({ port }: Contestant): Promise<void> {
  const foreign = Buffer.from(
    'GET /v1/report HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer no.such.token\r\n\r\n',
  )
  const { failures } = await applyLoad({ port, request: () => foreign, connections: 1, requests: 1 })
  if (failures !== 1) throw new Error('the guarded route answered a stranger')
}
