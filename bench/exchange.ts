/** `node bench/exchange.ts`: what a token exchange costs, durable, against a peer that keeps nothing and checks less. */
import { parseArgs } from 'node:util'
import { temporaryDatabase } from '../interop/database.ts'
import { type Environment, startServer, temporaryFolder } from '../interop/server.ts'
import { audience, clientId, clientSecret, exchangeGrant, scope, tokenRequest } from './contestants/client.ts'
import { allocator, type Contestant, proxied, seed, startProgram } from './contestants/contestant.ts'
import { applyLoad, formRequest } from './load.ts'
import { cpuRatio, measureInTurns, type Participant } from './measure.ts'
import { keepReport } from './report.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { rounds: 4, connections: 64, milliseconds: 300, warmUp: 2_000 }
  : { rounds: 40, connections: 64, milliseconds: 300, warmUp: 10_000 }
const names = { sqlite: 'Grantor, SQLite', postgres: 'Grantor, PostgreSQL', peer: 'oidc-provider' } as const

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)

const exchanging = {
  ...seed,
  clients: seed.clients.map((client) => ({
    ...client,
    grant_types: [...client.grant_types, exchangeGrant],
    exchange: [{ audience, scopes: [scope], as: 'delegate' }],
  })),
}

async function grantor(env: Environment): Promise<Contestant> {
  const folder = stack.use(temporaryFolder())
  const options = {
    data: folder.path,
    seed: folder.write('seed.json', exchanging),
    env: { ...allocator, ...proxied, ...env },
  }
  const server = stack.use(await startServer(options))
  return { ...server, stop: async () => void (await server.stop()) }
}

/** Over and over about the same hundred live tokens. */
async function exchanges(name: string, contestant: Contestant): Promise<Participant> {
  const tokens: string[] = []
  const answered = (_status: number, body: string): void =>
    void tokens.push((JSON.parse(body) as { access_token: string }).access_token)
  const first = tokenRequest()
  await applyLoad({ port: contestant.port, request: () => first, answered, connections: 16, requests: 100 })
  const requests = tokens.map((token) =>
    formRequest({
      path: '/token',
      basic: [clientId, clientSecret],
      form: {
        grant_type: exchangeGrant,
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        resource: audience,
        scope,
      },
    }),
  )
  let next = 0
  return { name, contestant, requests: () => () => requests[next++ % requests.length] as Buffer }
}

say('starting')
const database = stack.use(await temporaryDatabase())
const masterKey = 'a-master-key-for-measuring-only-0123456789'
const peer = stack.adopt(await startProgram('oidc-provider-exchange.ts'), (one) => one.stop())
const participants = [
  await exchanges(names.sqlite, await grantor({})),
  await exchanges(names.postgres, await grantor({ GRANTOR_DATABASE_URL: database.url, GRANTOR_MASTER_KEY: masterKey })),
  await exchanges(names.peer, peer),
]
say(`exchanges: ${plan.rounds} rounds of ${plan.milliseconds} ms each`)
const measured = await measureInTurns(participants, plan)
for (const one of measured)
  say(`  ${one.name}: ${one.cpu_us_per_request.median} µs, ${one.requests_per_second.median}/s`)
const cpu_ratios = {
  sqlite_to_peer: cpuRatio(measured, names.sqlite, names.peer),
  postgres_to_peer: cpuRatio(measured, names.postgres, names.peer),
}
const report = { plan, allocator, exchanges: measured, cpu_ratios }
if (values.quick) console.log(JSON.stringify(report, null, 2))
else keepReport('exchange', report)
