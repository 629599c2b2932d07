/** The server at the management port: its metrics, and whether it belongs to this deployment. */
import type { Settings } from '@grantor/server'

/** Milliseconds; a closed port of this machine is refused at once. */
const timeout = 10_000

/** The identity that a server of this deployment reports; the epoch is null where the database does not tell it. */
export interface DeploymentName {
  readonly issuer: string
  readonly epoch: string | null
}

export interface ManagedServer {
  /** Its metrics. */
  readonly text: string
  /** Null where it does not tell its deployment. */
  readonly isOurs: boolean | null
}

type ManagementSettings = Pick<Settings, 'managementHost' | 'managementPort'>

/** Host and port for a URL; an unspecified address becomes that of this machine. */
export function managementAddress({ managementHost: host, managementPort: port }: ManagementSettings): string {
  const bare = host.replace(/^\[|\]$/g, '')
  if (bare === '0.0.0.0') return `127.0.0.1:${port}`
  if (bare === '::') return `[::1]:${port}`
  return bare.includes(':') ? `[${bare}]:${port}` : `${bare}:${port}`
}

/** Null where no server or another program answers. `name` is null where there is no deployment. */
export async function managedServer(
  settings: ManagementSettings,
  name: DeploymentName | null,
): Promise<ManagedServer | null> {
  if (settings.managementPort === 0) return null
  try {
    const address = `http://${managementAddress(settings)}/metrics`
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeout) })
    const text = await answer.text()
    return answer.ok && text.includes('\ngrantor_ready ') ? { text, isOurs: isNamed(text, name) } : null
  } catch {
    return null
  }
}

const info = /^grantor_deployment_info\{issuer="([^"]*)",epoch="([^"]*)"\} 1$/m

function isNamed(text: string, name: DeploymentName | null): boolean | null {
  const [found, issuer, epoch] = info.exec(text) ?? []
  if (name === null) return false
  if (found === undefined) return null
  return name.epoch === null ? issuer === name.issuer : epoch === name.epoch
}
