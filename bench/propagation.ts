/** `node bench/propagation.ts`: from asking for a revocation until every one of N validators refuses the token. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Server, startServer, temporaryFolder } from '../interop/server.ts'
import { type HttpClient, httpClientOf } from '../test/faults/http-client.ts'
import { audience, clientId, clientSecret, scope } from './contestants/client.ts'
import { seed } from './contestants/contestant.ts'
import { propagationPicture } from './propagation-picture.ts'
import { keepPlot, keepReport } from './report.ts'
import { quantile, rounded } from './statistics.ts'
import { type ProcessReport, monotonicMillis, type ProcessCommand } from './validator-process.ts'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
})
const validatorCounts = [1, 10, 50, 100]
const revocations = values.quick ? 20 : 100
const processes = 4
/** A revocation does not wait for the last one's echo: pauses of many lengths meet every moment of a feed's timers. */
const longestPause = 60

const credentials = { clientId: 'reader', clientSecret: 'bench-reader-secret-of-32-characters' }
const reader = {
  client_id: credentials.clientId,
  client_secret: credentials.clientSecret,
  grant_types: ['client_credentials'],
  response_types: [],
  scope: 'revocations:read events:report',
  resource_server: audience,
}
const unlimited = { GRANTOR_LOG: 'warn', GRANTOR_LIMIT_TOKEN: 'off', GRANTOR_LIMIT_TOKEN_FAILURES: 'off' }

await using stack = new AsyncDisposableStack()
const say = (line: string): void => void process.stderr.write(`${line}\n`)
const folder = stack.use(temporaryFolder())
const server = stack.use(
  await startServer({
    data: folder.path,
    seed: folder.write('seed.json', { ...seed, clients: [...seed.clients, reader] }),
    env: unlimited,
  }),
)
const http = stack.use(httpClientOf(server))

const results = []
for (const count of validatorCounts) results.push(await measure(count))
const most = results.at(-1)
const report = {
  revocations,
  processes,
  results,
  targets: {
    [`p50 under 50 ms with ${most?.validators} validators`]: (most?.from_asking_ms.p50 ?? Infinity) < 50,
    [`p99 under 1 s with ${most?.validators} validators`]: (most?.from_asking_ms.p99 ?? Infinity) < 1_000,
  },
}
if (values.quick) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
else {
  keepReport('propagation', report)
  keepPlot('propagation', propagationPicture(results, { revocations, processes }))
}

async function measure(count: number) {
  await using group = await startValidators(server, count)
  const fromAsking: number[] = []
  const fromAnswer: number[] = []
  const untilAll: number[] = []
  for (let n = 0; n < revocations; n++) {
    const { asked, answered, refused } = await revoked(http, group)
    for (const at of refused) {
      fromAsking.push(at - asked)
      fromAnswer.push(Math.max(0, at - answered))
    }
    untilAll.push(Math.max(...refused) - asked)
    await after(Math.random() * longestPause)
  }
  const result = {
    validators: count,
    from_asking_ms: quantiles(fromAsking),
    /** 0 where a validator refused before the one who revoked was answered. */
    from_answer_ms: quantiles(fromAnswer),
    until_all_refuse_ms: quantiles(untilAll),
  }
  const { p50, p99, most: worst } = result.from_asking_ms
  say(`${count} validators: p50 ${p50} ms, p99 ${p99} ms, most ${worst} ms`)
  return result
}

async function revoked({ send }: HttpClient, group: Group) {
  const basic = [clientId, clientSecret] as const
  const issued = await send('/token', { basic, form: { grant_type: 'client_credentials', scope } })
  const { access_token: token } = JSON.parse(issued.body) as { readonly access_token: string }
  const refusing = await group.watch(token)
  const asked = monotonicMillis()
  const { status } = await send('/revoke', { basic, form: { token } })
  const answered = monotonicMillis()
  if (status !== 200) throw new Error(`a revocation was answered with ${status}`)
  return { asked, answered, refused: (await Promise.all(refusing)).flat() }
}

interface Group extends AsyncDisposable {
  /** Resolves when all accept the token; what it resolves to, when all refuse it. */
  watch(token: string): Promise<readonly Promise<readonly number[]>[]>
}

async function startValidators({ issuer, ca }: Server, count: number): Promise<Group> {
  const forked = Array.from({ length: Math.min(processes, count) }, () =>
    fork(join(import.meta.dirname, 'validator-process.ts')),
  )
  const stop = async (): Promise<void> => void (await Promise.all(forked.map(ended)))
  try {
    await Promise.all(
      forked.map(async (child, n) => {
        const share = Math.floor((count + n) / forked.length)
        sendCommand(child, { plan: { count: share, issuer, ca: ca ?? '', audience, credentials } })
        await next(child, 'ready')
      }),
    )
  } catch (error) {
    await stop()
    throw error
  }
  return {
    watch: async (token) => {
      const refusing = forked.map(async (child) => {
        const message = await next(child, 'refused')
        return 'refused' in message ? message.refused : []
      })
      // Awaited later, or never when something else fails first.
      for (const one of refusing) one.catch(() => {})
      const accepting = forked.map((child) => next(child, 'accepted'))
      for (const child of forked) sendCommand(child, { watch: token })
      await Promise.all(accepting)
      return refusing
    },
    [Symbol.asyncDispose]: stop,
  }
}

function sendCommand(child: ChildProcess, command: ProcessCommand): void {
  child.send(command)
}

/** The next word of that kind; a process that ends instead has said on stderr why. */
function next(child: ChildProcess, kind: string): Promise<ProcessReport> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off('message', listen)
      child.off('exit', fail)
    }
    const fail = (): void => {
      settle()
      reject(new Error('a process of validators ended'))
    }
    const listen = (message: ProcessReport): void => {
      if (!(kind in message)) return
      settle()
      resolve(message)
    }
    child.on('message', listen)
    child.once('exit', fail)
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

function quantiles(milliseconds: readonly number[]) {
  const ascending = milliseconds.toSorted((a, b) => a - b)
  const at = (q: number): number => rounded(quantile(ascending, q), 1)
  return { p50: at(0.5), p99: at(0.99), most: at(1) }
}
