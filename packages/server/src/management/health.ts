/** The health of one process: is the database there and does it keep what is written, do the keys open, what was counted. */
import { statfs } from 'node:fs/promises'
import { type Instant, mostSkew } from '@grantor/protocol/types'
import type { Logger } from 'pino'
import type { Deployment } from '../compose.ts'
import { usesPostgres } from '../config/conflicts.ts'
import type { DeploymentClock } from '../deployment-clock.ts'
import { defaultTenant } from '../issuer.ts'
import { type ServerMetricName, serverMetrics } from '../metrics/server-metrics.ts'
import type { Health } from './listener.ts'

/** What stands in the way of serving, as the health page and the log say it. */
interface Problem {
  readonly what: string
  /** What was said by what failed, for the log alone: it may name servers. */
  readonly reason?: string
}

type ReadinessCheck = () => Promise<Problem | null>

/** What needs longer than this is nothing that can serve. */
const timeout = 2_000

/** A volume with less has no room for what the next requests write. */
const leastFree = 1024 * 1024

/** Who asks more often than this (milliseconds) hears the answer of before: asking writes to the database. */
const askAgainAfter = 1_000

export interface HealthSources {
  readonly metrics: () => Promise<string>
  /** Why this process takes no requests although nothing is wrong; null when it does. */
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

/** Written out: with workers no process has a registry that could be asked for both, the counts and this. */
const metricText = (name: ServerMetricName, labels: string, value: number): string =>
  `# HELP ${name} ${serverMetrics[name].help}\n# TYPE ${name} gauge\n${name}${labels} ${value}\n`

/** An epoch lasts as long as a process: it is read when that begins or, where it could not be, while all is well. */
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

/** Certificates, other people's tokens and the log go by the machine's clock: one that is far off is nobody's to serve by. */
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
