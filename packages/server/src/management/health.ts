/** The health of one process: whether the database is writable and the keys can be opened; and its metrics. */
import { statfs } from 'node:fs/promises'
import { type Instant, mostSkew } from '@grantor/protocol/types'
import type { Logger } from 'pino'
import type { Deployment } from '../compose.ts'
import { usesPostgres } from '../config/conflicts.ts'
import type { DeploymentClock } from '../deployment-clock.ts'
import { defaultTenant } from '../issuer.ts'
import { type ServerMetricName, serverMetrics } from '../metrics/server-metrics.ts'
import type { Health } from './listener.ts'

/** A problem that prevents serving, as the health page and the log show it. */
interface Problem {
  readonly what: string
  /** The message of the failed part, only for the log, as it may name servers. */
  readonly reason?: string
}

type ReadinessCheck = () => Promise<Problem | null>

/** Milliseconds: a check that takes longer counts as failed. */
const timeout = 2_000

/** Bytes that must be free: with less, the next requests could not write. */
const leastFree = 1024 * 1024

/** Milliseconds for which an answer is reused, because each check writes to the database. */
const askAgainAfter = 1_000

export interface HealthSources {
  readonly metrics: () => Promise<string>
  /** Why this process takes no requests although nothing is wrong, such as while stopping; null when it does. */
  readonly closed: () => string | null
  readonly log: Logger
}

export function healthOf(
  deployment: Pick<Deployment, 'store' | 'authority' | 'clock' | 'settings' | 'issuer'>,
  { metrics, closed, log }: HealthSources,
): Health {
  const checks = checksOf(deployment)
  const nameMetric = deploymentMetric(deployment)
  let asked = { at: -Infinity, answer: Promise.resolve<readonly string[]>([]) }
  let before = ''
  async function problems(): Promise<readonly string[]> {
    const found = (await Promise.all(checks.map((check) => inTime(check)))).filter((problem) => problem !== null)
    const problems = found.map(({ what }) => what)
    const reasons = found.flatMap(({ reason }) => reason ?? [])
    const summary = [...problems, ...reasons].join('; ')
    if (summary !== before)
      if (found.length > 0) log.error({ problems, reasons }, 'not ready')
      else log.info({ problems }, 'ready again')
    before = summary
    return problems
  }
  async function ready(): Promise<readonly string[]> {
    const why = closed()
    if (why !== null) return [why]
    if (performance.now() - asked.at >= askAgainAfter) asked = { at: performance.now(), answer: problems() }
    return asked.answer
  }
  return {
    ready,
    async metrics() {
      const isReady = (await ready()).length === 0
      return `${await metrics()}\n${metricText('grantor_ready', '', isReady ? 1 : 0)}${await nameMetric(isReady)}`
    },
  }
}

/** Written as text, because with workers no single registry holds both the counts and this metric. */
const metricText = (name: ServerMetricName, labels: string, value: number): string =>
  `# HELP ${name} ${serverMetrics[name].help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`

/** The epoch does not change while a process runs: it is read at the start or, where that failed, later when ready. */
function deploymentMetric({
  store,
  issuer,
}: Pick<Deployment, 'store' | 'issuer'>): (ready: boolean) => Promise<string> {
  const read = (): Promise<string | null> => store.epoch().catch(() => null)
  let epoch = read()
  return async (isReady) => {
    if (isReady && (await epoch) === null) epoch = read()
    const known = await epoch
    if (known === null) return ''
    return metricText('grantor_deployment_info', `{issuer="${issuer.origin()}",epoch="${known}"}`, 1)
  }
}

const checksOf = ({
  store,
  authority,
  clock,
  settings,
}: Pick<Deployment, 'store' | 'authority' | 'clock' | 'settings'>): readonly ReadinessCheck[] => [
  async () => {
    try {
      await store.ping()
    } catch (cause) {
      return { what: 'the database does not answer', reason: messageOf(cause) }
    }
    return store.probeWrite(Date.now() as Instant).then(
      () => null,
      (cause: unknown) => ({ what: 'the database cannot be written', reason: messageOf(cause) }),
    )
  },
  async () =>
    (await authority.keySet(defaultTenant)).kind === 'ok' ? null : { what: 'the signing keys cannot be used' },
  async () => clockProblem(clock),
  ...(usesPostgres(settings) ? [] : [async () => volumeProblem(settings.data)]),
]

/**
 * Certificates, foreign tokens and the log are judged by the machine's clock, so a node whose clock is far off must not
 * serve.
 */
function clockProblem(clock: DeploymentClock): Problem | null {
  const ahead = clock.machineAhead() ?? 0
  if (Math.abs(ahead) <= mostSkew) return null
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return { what: `the clock of this machine is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} the database's` }
}

async function volumeProblem(folder: string): Promise<Problem | null> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < leastFree ? { what: 'the volume of the data folder is full' } : null
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

async function inTime(check: ReadinessCheck): Promise<Problem | null> {
  const late = Promise.withResolvers<Problem>()
  const timer = setTimeout(() => late.resolve({ what: 'the database takes too long to answer' }), timeout)
  const failed = (cause: unknown): Problem => ({ what: `a check failed: ${messageOf(cause)}` })
  return Promise.race([check().catch(failed), late.promise]).finally(() => clearTimeout(timer))
}
