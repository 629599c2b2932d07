/** Whether a host in a setting is this machine. */
import { isLoopbackHost } from '@grantor/protocol/http'
import { isIP } from 'node:net'

export const isLoopback = (host: string): boolean =>
  isLoopbackHost(host) || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
