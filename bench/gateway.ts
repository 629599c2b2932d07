/** `node bench/gateway.ts`: the gateway as a proxy, against nginx that uses the same gateway with auth_request. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { startProxy, ensureProxies } from '../interop/proxies.ts'
import { grantorCommand, temporaryFolder } from '../interop/server.ts'
import { allocator, type Contestant, startProgram } from './contestants/contestant.ts'
import { measureInTurns, type Participant } from './measure.ts'
import { keepReport } from './report.ts'
import { audience, jwks, mint, scope } from './tokens.ts'

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } })
const plan = values.quick
  ? { rounds: 6, connections: 32, milliseconds: 400, warmUp: 3_000 }
  : { rounds: 24, connections: 64, milliseconds: 500, warmUp: 15_000 }
const callers = 1_000

const missing = ensureProxies()
if (missing !== null) throw new Error(missing)
await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)

/** An issuer that serves only the two documents that a validator reads. */
async function startIssuer(): Promise<string> {
  const server = createServer((request, response) => {
    const issuer = `http://${String(request.headers.host)}`
    const metadata = { issuer, jwks_uri: `${issuer}/jwks` }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(request.url === '/jwks' ? jwks : metadata))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  stack.defer(() => server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const issuer = await startIssuer()
const api = stack.adopt(await startProgram('route.ts'), (one) => one.stop())
const folder = stack.use(temporaryFolder())

async function startGateway(name: string, upstream: object): Promise<Contestant> {
  const routes = [{ path: '/v1', scopes: [scope] }]
  const file = folder.write(`${name}.json`, { issuer, audience, routes, ...upstream })
  const child = spawn(process.execPath, [grantorCommand, 'gateway', '--config', file], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, ...allocator, GRANTOR_GATEWAY_PORT: '0' },
  })
  const began = performance.now()
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { port, pid } = JSON.parse(line) as { readonly port: number; readonly pid: number }
  const stop = async (): Promise<void> => {
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  const contestant = { port, pid, readyAfter: performance.now() - began, stop }
  stack.adopt(contestant, (one) => one.stop())
  for (let tries = 0; tries < 100 && (await fetch(`http://127.0.0.1:${port}/health/ready`)).status !== 200; tries++)
    await new Promise((resolve) => setTimeout(resolve, 100))
  return contestant
}

const proxying = await startGateway('proxy', { upstream: `http://127.0.0.1:${api.port}` })
const judging = await startGateway('forward-auth', {})
const nginx = stack.use(await startProxy('nginx', { gateway: judging.port, api: api.port }))
const requests = Array.from({ length: callers }, () =>
  Buffer.from(`GET /v1/report HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${mint({ iss: issuer })}\r\n\r\n`),
)
const inTurn = (): (() => Buffer) => {
  let n = 0
  return () => requests[n++ % callers] as Buffer
}
const ours: Participant = { name: 'gateway', contestant: proxying, requests: inTurn }
/** The CPU is that of the gateway behind nginx, without nginx's own; the throughput is that of both together. */
const theirs: Participant = {
  name: 'nginx and forward-auth',
  contestant: { ...judging, port: Number(new URL(nginx.origin).port) },
  requests: inTurn,
}

say(`${plan.rounds} rounds of ${plan.milliseconds} ms each`)
const measured = await measureInTurns([ours, theirs], plan)
for (const one of measured)
  say(`  ${one.name}: ${one.requests_per_second.median}/s, ${one.cpu_us_per_request.median} µs of CPU in Node`)
const rate = (name: string): number =>
  measured.find((one) => one.name === name)?.requests_per_second.median ?? Number.NaN
const ratio = Math.round((100 * rate(ours.name)) / rate(theirs.name)) / 100
say(`  ratio of throughput ${ratio}`)
const report = {
  plan,
  tokens: callers,
  measured,
  throughput_ratio_gateway_to_nginx: ratio,
  targets: { 'at least half the throughput of nginx with auth_request to the same gateway': ratio >= 0.5 },
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else keepReport('gateway', report)
