/** `node bench/guard.ts`: what the guard adds to a GET on Fastify, Express and Hono, against the same route without it. */
import { parseArgs } from 'node:util'
import { type Contestant, startProgram } from './contestants/contestant.ts'
import { applyLoad } from './load.ts'
import { cpuRatio, type Participant, measureInTurns } from './measure.ts'
import { keepReport } from './report.ts'
import { jwks, mint } from './tokens.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { rounds: 8, connections: 64, milliseconds: 150, warmUp: 5_000 }
  : { rounds: 24, connections: 64, milliseconds: 250, warmUp: 20_000 }
/** Callers come again within the life of their tokens; first sight of a token is measured by validation.ts. */
const callers = 1_000

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** Both get the same bytes: that a token costs its own parsing as a header is no fault of the guard. */
const requests = Array.from({ length: callers }, () =>
  Buffer.from(`GET /v1/report HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${mint()}\r\n\r\n`),
)
const inTurn = (): (() => Buffer) => {
  let n = 0
  return () => requests[n++ % callers] as Buffer
}
const started = async (args: readonly string[]): Promise<Contestant> =>
  stack.adopt(await startProgram('route.ts', args), (one) => one.stop())
interface Measured {
  readonly framework: string
  readonly measured: Awaited<ReturnType<typeof measureInTurns>>
  readonly ratio: number
}

/** With and without, in turns; what a framework costs itself is in both. */
async function compare(framework: string): Promise<Measured> {
  const open: Participant = { name: 'unguarded', contestant: await started([framework]), requests: inTurn }
  const guarded: Participant = {
    name: 'guarded',
    contestant: await started([framework, JSON.stringify(jwks)]),
    requests: inTurn,
  }
  await guards(guarded.contestant)
  const measured = await measureInTurns([open, guarded], plan)
  const ratio = cpuRatio(measured, guarded.name, open.name)
  for (const one of measured)
    say(`  ${framework}, ${one.name}: ${one.cpu_us_per_request.median} µs, ${one.requests_per_second.median}/s`)
  say(`  ${framework}: ratio ${ratio}`)
  return { framework, measured, ratio }
}

say(`${plan.rounds} rounds of ${plan.milliseconds} ms each`)
const results: Measured[] = []
// Hono has both: guard and handler as one, and the guard as middleware, against middleware that does nothing.
for (const framework of ['fastify', 'express', 'hono', 'hono middleware']) results.push(await compare(framework))
const report = {
  plan,
  tokens: callers,
  frameworks: results.map(({ framework, measured, ratio }) => ({
    framework,
    measured,
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

/** A guard that lets strangers in would be a fast one. */
async function guards({ port }: Contestant): Promise<void> {
  const foreign = Buffer.from(
    'GET /v1/report HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer no.such.token\r\n\r\n',
  )
  const { failures } = await applyLoad({ port, request: () => foreign, connections: 1, requests: 1 })
  if (failures !== 1) throw new Error('the guarded route answered a stranger')
}
