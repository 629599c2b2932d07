/** `node bench/sign-ins.ts`: the effect of a hundred concurrent sign-ins on the latency of tokens. */
import { parseArgs } from 'node:util'
import { type Environment, startServer, temporaryFolder } from '../interop/server.ts'
import { temporaryDatabase } from '../interop/database.ts'
import { tokenRequest } from './contestants/client.ts'
import { proxied, seed } from './contestants/contestant.ts'
import { applyLoad, closeHttpSockets, type LoadResult, openHttpSockets } from './load.ts'
import { keepReport } from './report.ts'
import { preparedSignIn } from './sign-in-form.ts'
import { median, quantile, rounded, spread } from './statistics.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const signIns = 100
const connections = 64
const plan = values.quick ? { rounds: 2, seconds: 2 } : { rounds: 7, seconds: 4 }
const password = 'correct-horse-battery-staple'

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)

interface MeasuredServer {
  readonly name: string
  readonly port: number
}

async function grantor(name: string, env: Environment): Promise<MeasuredServer> {
  const folder = stack.use(temporaryFolder())
  const users = Array.from({ length: signIns }, (_, n) => ({ username: `person${n}`, password }))
  const options = { data: folder.path, seed: folder.write('seed.json', { ...seed, users }) }
  const { port } = stack.use(await startServer({ ...options, env: { ...proxied, ...env } }))
  return { name, port }
}

const prepareAll = async (port: number): Promise<readonly Buffer[]> => {
  const forms: Buffer[] = []
  for (let n = 0; n < signIns; n++) forms.push(await preparedSignIn(port, { n, username: `person${n}`, password }))
  return forms
}

interface SignInTimes {
  /** Seconds until the last sign-in was answered. */
  readonly seconds: number
  readonly answered: number
}

async function signInAll(port: number, forms: readonly Buffer[]): Promise<SignInTimes> {
  const sockets = await openHttpSockets(port, signIns)
  const began = performance.now()
  const answers = await Promise.all(sockets.map((socket, n) => socket.send(forms[n] as Buffer, false)))
  closeHttpSockets(sockets)
  const answered = answers.filter(({ status }) => status === 303).length
  if (answered < signIns) throw new Error(`${signIns - answered} of ${signIns} could not sign in`)
  return { seconds: (performance.now() - began) / 1000, answered }
}

const asked = tokenRequest()
const tokens = (port: number, how: { readonly rate?: number; readonly milliseconds: number }): Promise<LoadResult> =>
  applyLoad({ port, connections, request: () => asked, ...how })

const p99 = ({ latencies }: LoadResult): number => quantile(latencies, 0.99)

/** Tokens at half of the server's capacity: alone and while a hundred people sign in, in turns. */
async function measure({ name, port }: MeasuredServer) {
  await tokens(port, { milliseconds: 3_000 })
  const saturated = await tokens(port, { milliseconds: 2_000 })
  const rate = Math.floor(saturated.requests / saturated.seconds / 2)
  const quiet: number[] = []
  const busy: number[] = []
  const signedIn: number[] = []
  for (let n = 0; n < plan.rounds; n++) {
    quiet.push(p99(await tokens(port, { rate, milliseconds: plan.seconds * 1000 })))
    const forms = await prepareAll(port)
    const all = signInAll(port, forms)
    // For as long as the sign-ins took in the previous round; nothing is measured after they end.
    const milliseconds = 1000 * Math.min(plan.seconds, signedIn.at(-1) ?? plan.seconds)
    busy.push(p99(await tokens(port, { rate, milliseconds })))
    signedIn.push((await all).seconds)
    say(
      `  ${name}: p99 ${rounded(quiet.at(-1) ?? 0, 2)} → ${rounded(busy.at(-1) ?? 0, 2)} ms, all in ${rounded(signedIn.at(-1) ?? 0, 1)} s`,
    )
  }
  return {
    name,
    tokens_per_second: rate,
    quiet_p99_ms: spread(quiet, 2),
    p99_during_sign_ins_ms: spread(busy, 2),
    all_signed_in_after_s: spread(signedIn, 2),
    ratio: rounded(median(busy.map((it, n) => it / (quiet[n] ?? Number.NaN))), 2),
  }
}

say('starting')
const database = stack.use(await temporaryDatabase())
const servers = [
  await grantor('Grantor, SQLite', {}),
  await grantor('Grantor, PostgreSQL', {
    GRANTOR_DATABASE_URL: database.url,
    GRANTOR_MASTER_KEY: 'a-master-key-for-measuring-only-0123456789',
  }),
]
const measured = []
for (const server of servers) measured.push(await measure(server))
const report = {
  plan: { ...plan, sign_ins: signIns, connections },
  measured,
  targets: {
    'a hundred sign-ins at once raise the p99 of tokens to at most three times its quiet value': measured.every(
      ({ ratio }) => ratio <= 3,
    ),
  },
}
if (!values.quick) keepReport('sign-ins', report)
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
