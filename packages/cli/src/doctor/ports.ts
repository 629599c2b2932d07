/** Are the ports free, or taken by a server of ours? */
import { createServer } from 'node:net'
import { type Settings, failed, type Finding, passed } from '@grantor/server'
import type { ManagedServer } from './managed-server.ts'

/**
 * `answered`: the issuer answers, so that a taken port is our own. If the issuer cannot be reached from here, because
 * it is behind a proxy for instance, and all ports are taken, they are our own if the management port is.
 */
export async function checkPorts(
  { host, port, managementHost, managementPort }: Settings,
  { server, answered }: { readonly server: ManagedServer | null; readonly answered: boolean },
): Promise<readonly Finding[]> {
  const wanted = [
    { name: `port ${port}`, host, port },
    { name: `management port ${managementPort}`, host: managementHost, port: managementPort },
  ]
  const states = await Promise.all(wanted.map(async (it) => (it.port === 0 ? 'any' : await bind(it.host, it.port))))
  const allTaken = states.every((state) => state === 'EADDRINUSE')
  const isOurs = answered || (allTaken && server?.isOurs === true)
  const holders = [isOurs ? 'us' : 'another program', managementHolder(server, isOurs)]
  return wanted.map(({ name }, index) => finding(name, states[index] ?? 'any', holders[index] ?? ''))
}

function managementHolder(server: ManagedServer | null, isOurs: boolean): string {
  if (server === null) return 'another program'
  return (server.isOurs ?? isOurs) ? 'us' : 'the server of another deployment'
}

function finding(name: string, state: string, holder: string): Finding {
  if (state === 'any') return passed(name, 'any free one')
  if (state === 'free') return passed(name, 'free')
  if (state === 'EADDRINUSE' && holder === 'us') return passed(name, 'served by us')
  if (state === 'EADDRINUSE') return failed(name, `taken by ${holder}`, 'stop it, or choose another port')
  if (state === 'EACCES') return failed(name, 'may not be opened by this user', 'choose one above 1023, or allow it')
  return failed(name, `cannot be opened (${state})`, 'check GRANTOR_HOST: it must be an address of this machine')
}

const bind = (host: string, port: number): Promise<string> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve('free')))
  })
