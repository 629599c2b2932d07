/** An application over an authority that answers as it is told, for tests of the transport alone. */
import type { Authority } from '@grantor/authority'
import { err, ok } from '@grantor/protocol/result'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '../../src/http/app.ts'
import { openClientCertificates } from '../../src/http/client-certificate.ts'
import { issuerFrom } from '../../src/issuer.ts'
import { openMeters } from '../../src/metrics/meters.ts'
import { defaultTheme } from '../../src/pages/theme/theme.ts'
import { noTracing } from '../../src/tracing/tracing.ts'
import { defaults } from '../config/default-settings.ts'
import type { HttpContext } from '../../src/http/http-context.ts'

const tokenBody = { access_token: 'a-token', token_type: 'Bearer', expires_in: 600 }

/** Only the endpoints; whoever needs more says so. */
export function fakeAuthority(overrides: Partial<Authority>): Authority {
  const endpoints: Partial<Authority> = fakeAnswers(overrides)
  return endpoints as Authority
}

function fakeAnswers(overrides: Partial<Authority>): Partial<Authority> {
  const unexpected = async (): Promise<never> => Promise.reject(new Error('the test did not expect this call'))
  return {
    token: async (request) =>
      request.form.get('grant_type') === undefined
        ? err({ reason: 'parameter_missing', name: 'grant_type' })
        : ok(tokenBody),
    introspect: async () => ok({ active: false }),
    revoke: async () => ok(null),
    keySet: async () => ok({ body: { keys: [] }, maxAge: 900 }),
    metadata: async (tenant) =>
      tenant === 'gone' ? err({ reason: 'tenant_unknown' }) : ok({ issuer: `of ${tenant}` }),
    grantor: async (tenant) => ok({ issuer: `of ${tenant}` }),
    begin: unexpected,
    close: async () => {},
    ...overrides,
    // Every page asks for the looks of its tenant.
    browser: { catalogue: async () => null, ...overrides.browser } as Partial<
      Authority['browser']
    > as Authority['browser'],
  }
}

export interface Testbed {
  readonly app: FastifyInstance
  /** What was logged, a line each. */
  readonly logged: readonly string[]
  metrics(): Promise<string>
}

export function testbed(overrides: Partial<Authority> = {}, change: Partial<HttpContext> = {}): Testbed {
  const logged: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) })
  const meters = openMeters()
  const context: HttpContext = {
    authority: fakeAuthority(overrides),
    issuer: issuerFrom({ issuer: 'https://as.example', port: 443 }),
    proxies: null,
    certificates: openClientCertificates(null),
    connections: { most: 1000, perAddress: 1000, isProxy: () => false },
    encrypted: true,
    strictTransport: true,
    consoleClients: { ensure: async () => {} },
    draining: () => false,
    cursorSecret: new Uint8Array(32),
    meters,
    metrics: () => meters.registry.metrics(),
    log,
    tracing: noTracing,
    theme: defaultTheme,
    demoSteps: { current: [] },
    settings: defaults(),
    store: { ping: async () => {}, untilDurable: async () => {} },
    ...change,
  }
  return { app: buildApp(context, null), logged, metrics: () => meters.registry.metrics() }
}
