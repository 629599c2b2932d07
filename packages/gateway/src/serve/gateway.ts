/** A running gateway: listens, switches to a new reading of its file without dropping requests, drains at the end. */
import type { AddressInfo } from 'node:net'
import { type SecureContextOptions, Server as TlsServer } from 'node:tls'
import { err, ok, type Result } from '@grantor/protocol/result'
import { createApiMetrics, memoryQuotas } from '@grantor/api'
import type { Validator } from '@grantor/resource'
import type { FieldProblem } from '../config/fields.ts'
import type { GatewayConfig } from '../config/referenced-files.ts'
import { SessionOwners } from '../mcp/session-owners.ts'
import { answerSyntaxError } from './answers.ts'
import { createGeneration, type Generation } from './generation.ts'
import { createListener, drainListener, limitListener, type ListenerHandlers, listenOn } from './listener.ts'
import { createRequestHandler } from './request-handler.ts'
import { isSameTrust, shareTrust } from './trust.ts'
import { createUpgradeHandler } from './upgrade-handler.ts'

export interface GatewayOptions {
  /** 0 chooses a free port. */
  readonly port: number
  /** Tells the operator, one line per call. */
  notice(text: string): void
  /** Versions and ciphers of TLS. */
  readonly tls?: SecureContextOptions
  /** Replaces the validator made from the file, for tests. */
  readonly validator?: Validator
}

export interface RunningGateway {
  readonly port: number
  /** Whether keys and revocations are known; until then the gateway answers 503. */
  ready(): boolean
  /** Answers further requests by this configuration; one that cannot be used changes nothing. */
  reload(config: GatewayConfig): Promise<Result<null, readonly FieldProblem[]>>
  /** Stops listening, answers requests under way, and ends streams. */
  close(): Promise<void>
}

/** Milliseconds that a new configuration may take to know keys and revocations before it takes over. */
const warmUp = 10_000

export async function startGateway(first: GatewayConfig, options: GatewayOptions): Promise<RunningGateway> {
  const { notice, tls = {} } = options
  const metrics = createApiMetrics()
  const sessions = new SessionOwners()
  const shared = { metrics, notice, sessions, quotas: memoryQuotas() }
  const given = options.validator === undefined ? null : shareTrust(options.validator, null)
  let current: Generation
  /** Former generations with open requests, each with the promise of its end. */
  const retiring = new Map<Generation, Promise<void>>()
  let draining = false
  const context = { current: () => current, metrics, notice, draining: () => draining }
  const handlers: ListenerHandlers = {
    request: createRequestHandler(context),
    upgrade: createUpgradeHandler(context),
    syntaxError: (error, socket) => answerSyntaxError(error, socket, new URL(current.config.audience).origin),
  }
  const server = createListener({ config: first, tls }, handlers)
  current = createGeneration(first, { ...shared, trust: given })
  if (first.client === null)
    notice(
      'no client is named: revocations are not heard of, tokens count until they expire, opaque tokens are refused',
    )
  try {
    await listenOn(server, first.host, options.port)
  } catch (error) {
    await current.retire(null)
    throw error
  }

  /** The fields of the listener count only at the start; all others may change. */
  function fixedProblems(config: GatewayConfig): readonly FieldProblem[] {
    const fixed = {
      host: config.host !== first.host,
      tls: (config.tls === null) !== (first.tls === null),
      'limits.headers': config.limits.headers !== first.limits.headers,
    }
    const problem = 'changes only with a new start'
    return Object.entries(fixed).flatMap(([field, changed]) => (changed ? [{ field, problem }] : []))
  }

  async function reload(config: GatewayConfig): Promise<Result<null, readonly FieldProblem[]>> {
    const problems = fixedProblems(config)
    if (problems.length > 0) return err(problems)
    const before = current
    const sharesTrust = isSameTrust(before.config, config)
    const next = createGeneration(config, { ...shared, trust: sharesTrust ? before.trust : null })
    await using unused = new AsyncDisposableStack()
    unused.defer(() => next.retire(before))
    // Where the present generation cannot judge tokens either, there is no reason to wait for the new one.
    const mustWarmUp = !sharesTrust && before.trust.validator.ready()
    if (mustWarmUp && !(await isWarm(next.trust.validator)))
      return err([
        { field: 'issuer', problem: 'its keys and revocations cannot be had; the gateway goes on as before' },
      ])
    if (server instanceof TlsServer && config.tls !== null) server.setSecureContext({ ...tls, ...config.tls })
    unused.move()
    limitListener(server, config.limits)
    current = next
    retiring.set(
      before,
      before.retire(next).finally(() => retiring.delete(before)),
    )
    return ok(null)
  }

  return {
    port: (server.address() as AddressInfo).port,
    ready: () => current.trust.validator.ready(),
    reload,
    async close() {
      draining = true
      const cutStreams = (): void => {
        for (const { exchanges, trust } of [current, ...retiring.keys()]) {
          exchanges.cutStreams()
          trust.relay?.streams.cutStreams()
        }
      }
      await drainListener(server, cutStreams)
      await Promise.all([...retiring.values(), current.retire(null)])
    },
  }
}

async function isWarm(validator: Validator): Promise<boolean> {
  const tooLate = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => tooLate.resolve(false), warmUp)
  const ready = validator.whenReady().then(
    () => true,
    () => false,
  )
  return Promise.race([ready, tooLate.promise]).finally(() => clearTimeout(timer))
}
