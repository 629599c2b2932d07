/** The dependencies of the HTTP layer: the authority, and facts of this deployment. */
import type { Authority } from '@grantor/authority'
import type { Store } from '@grantor/store'
import type { Logger } from 'pino'
import type { Settings } from '../config/settings.ts'
import type { ProxyTrust } from './caller.ts'
import type { ClientCertificates } from './client-certificate.ts'
import type { ConnectionLimits } from './overload/connection-limits.ts'
import type { ConsoleClients } from '../console-client.ts'
import type { Issuer } from '../issuer.ts'
import type { Meters } from '../metrics/meters.ts'
import type { DemoSteps } from '../pages/landing.ts'
import type { Theme } from '../pages/theme/theme.ts'
import type { Tracing } from '../tracing/tracing.ts'

export interface HttpContext {
  readonly authority: Authority
  readonly issuer: Issuer
  /** Ensures that a tenant whose console is opened has its client. */
  readonly consoleClients: ConsoleClients
  readonly proxies: ProxyTrust | null
  readonly certificates: ClientCertificates
  readonly connections: ConnectionLimits
  /** False behind a trusted proxy that speaks plain HTTP to us. */
  readonly encrypted: boolean
  /** HSTS covers every port of a host name, so it is not sent for a developer's localhost. */
  readonly strictTransport: boolean
  /** Whether the server is draining: then every answer closes its connection. */
  draining(): boolean
  readonly meters: Meters
  /** The metrics of all processes of this server together. */
  metrics(): Promise<string>
  readonly log: Logger
  readonly tracing: Tracing
  /** Seals the cursors of lists; the same on every node. */
  readonly cursorSecret: Uint8Array
  readonly settings: Settings
  readonly store: Pick<Store, 'ping' | 'untilDurable'>
  /** How our pages look. */
  readonly theme: Theme
  /** The steps that the front page offers in a demo. */
  readonly demoSteps: DemoSteps
}
