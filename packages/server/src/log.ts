/**
 * Logs: JSON lines on stderr, because stdout carries the ready line, or in a file; plain text where stderr is a
 * terminal. Headers, bodies and queries are never logged; only a terminal shows what a developer at this machine
 * `sent`.
 */
import { openSync } from 'node:fs'
import { isatty } from 'node:tty'
import type { Store } from '@grantor/store'
import { type Logger, pino } from 'pino'
import type { Settings } from './config/settings.ts'
import type { DeploymentClock } from './deployment-clock.ts'
import { LineWriter, standardError } from './line-writer.ts'
import { StartError } from './start-error.ts'
import { terminalLine } from './terminal-lines.ts'

type LogSettings = Pick<Settings, 'log' | 'logFile'>

/** One writer for each destination, so that lines of the process never mix. */
const writers = new Map<string | null, LineWriter>()

export function openLog({ log, logFile }: LogSettings): Logger {
  const writer = writerTo(log === 'silent' ? null : logFile)
  const options = { level: log, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime }
  return logFile === null && isatty(2)
    ? pino(options, { write: (line) => writer.write(terminalLine(line)) })
    : pino({ ...options, serializers: { sent: () => undefined } }, writer)
}

function writerTo(file: string | null): LineWriter {
  const known = writers.get(file)
  if (known !== undefined) return known
  const writer = new LineWriter(file === null ? standardError() : openFile(file), { dropped: droppedLine })
  if (writers.size === 0) process.on('exit', writeRest)
  writers.set(file, writer)
  return writer
}

function openFile(file: string): number {
  try {
    return openSync(file, 'a', 0o600)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new StartError(`GRANTOR_LOG_FILE: ${file} cannot be written (${code})`, { cause })
  }
}

/** Reopens the log file after it was moved away; where that fails, logging goes on to the old one. */
export function reopenLog({ logFile }: LogSettings, log: Logger): void {
  const writer = logFile === null ? undefined : writers.get(logFile)
  if (logFile === null || writer === undefined) return
  try {
    writer.moveTo(openFile(logFile))
  } catch (cause) {
    log.error({ reason: String(cause) }, 'the log file cannot be opened anew: the old one is written on')
  }
}

const writeRest = (): void => {
  for (const writer of writers.values()) writer.writeRest()
}

const droppedLine = (count: number): string =>
  `${JSON.stringify({ level: pino.levels.values['error'], time: new Date().toISOString(), pid: process.pid, dropped: count, msg: 'lines of this log could not be written and are lost' })}\n`

interface FaultSources {
  readonly store: Pick<Store, 'unreadable'>
  readonly clock: Pick<DeploymentClock, 'watchSetBacks'>
}

/**
 * Logs faults of the deployment, once each: a row of the directory that cannot be read (it counts as absent), and a
 * clock that was set back (access tokens from before are invalid).
 */
export function logFaults({ store, clock }: FaultSources, log: Logger): void {
  store.unreadable.watch(({ kind, tenant, id, problem }) =>
    log.error({ kind, tenant, id, problem }, 'a row cannot be read and is set aside'),
  )
  clock.watchSetBacks((milliseconds) =>
    log.error(
      { seconds: Math.round(milliseconds / 1000) },
      'the clock was set back: the signing keys are replaced, and access tokens from before are dead',
    ),
  )
}
