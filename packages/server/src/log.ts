/** Logs: JSON lines on stderr, because stdout carries the ready line. No request's headers, body or query ever get here. */
import { destination, type Logger, pino } from 'pino'
import type { Settings } from './config/settings.ts'

export const openLog = ({ log }: Pick<Settings, 'log'>): Logger =>
  pino(
    { level: log, base: { pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime },
    destination({ fd: 2, sync: true }),
  )
