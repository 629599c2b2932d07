/** Runs a gateway for as long as the command runs: reads its file, starts, reloads, drains. */
import { resolve } from 'node:path'
import { type RunningGateway, startGateway } from '@grantor/gateway'
import { onFileChange, tlsOptions } from '@grantor/server'
import { jsonText, printable } from '../../output/printable.ts'
import type { CommandContext } from '../../program/command.ts'
import { writeText } from '../../program/environment.ts'
import { type CommandFailure, done, type ExitResult, failure } from '../../program/exit.ts'
import { type GatewayFile, readGatewayFile } from './gateway-file.ts'
import { inTurn } from './in-turn.ts'

interface StartedCommand {
  readonly context: CommandContext
  readonly stopped: Promise<void>
  readonly onReload: (act: () => void) => void
}

interface NamedFile {
  readonly name: string
  readonly port: number
}

/** Error codes for a host that is not an address of this machine. */
const ofHost: ReadonlySet<string> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

export async function serveGateway(
  { context, stopped, onReload }: StartedCommand,
  { name, port }: NamedFile,
): Promise<ExitResult> {
  const { environment } = context
  const first = await readGatewayFile(name, environment)
  if (first.kind === 'error') return first
  const { config, locate } = first.value
  const notice = (...lines: readonly string[]): void =>
    void writeText(environment.stderr, `gateway: ${lines.map(printable).join('\n  ')}\n`).catch(() => {})
  let running: RunningGateway
  try {
    running = await startGateway(config, { port, notice, tls: tlsOptions })
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (ofHost.has(code))
      return failure('invalid', `${name} names a host where nothing can listen (${code})`, {
        where: [locate({ field: 'host', problem: `${config.host} is not an address of this machine` })],
      })
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw error
    return failure('failed', `port ${port} cannot be used (${code})`, {
      fix: 'choose another with --port or GRANTOR_GATEWAY_PORT',
    })
  }
  let { files } = config
  const reload = async (): Promise<void> => {
    const read = await readGatewayFile(name, environment)
    const next = read.kind === 'error' ? read.error : await taken(running, read.value)
    if (next !== null) return notice(`${next.what}; the one before goes on`, ...next.where)
    if (read.kind === 'ok') ({ files } = read.value.config)
    return notice(`${name} was read again`)
  }
  // One after the other, because two concurrent readings could take over in the wrong order.
  const again = inTurn(reload, (error) =>
    notice(
      `${name} could not be read again, and the one before goes on`,
      `a defect of the gateway: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    ),
  )
  const unwatch = onFileChange(() => [resolve(environment.cwd, name), ...files], again)
  onReload(() => void again())
  const ready = { event: 'ready', port: running.port, audience: config.audience, pid: process.pid }
  const isTerminal = environment.stdout.isTTY === true && !context.out.json
  const url = `${config.tls === null ? 'http' : 'https'}://${config.host}:${running.port}`
  await writeText(environment.stdout, isTerminal ? `The gateway is ready at ${url}\n` : `${jsonText(ready)}\n`).catch(
    () => {},
  )
  await stopped
  unwatch()
  await running.close()
  return done
}

/** The failure of a reading; null where it took over. */
async function taken(running: RunningGateway, { config, locate }: GatewayFile): Promise<CommandFailure | null> {
  const result = await running.reload(config)
  if (result.kind === 'ok') return null
  const what = 'the new reading of the file cannot be used'
  return { exit: 'invalid', what, where: result.error.map(locate), fix: null }
}
