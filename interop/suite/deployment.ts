/** The real command with what the suite is configured with: its clients, a person with every standard claim, a clock. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Agent, fetch as undiciFetch } from 'undici'
import { temporaryDatabase } from '../database.ts'
import { startServer, temporaryFolder } from '../server.ts'
import { Browser, type BrowserKind, type Fetch } from './browser.ts'

export interface Client {
  readonly id: string
  readonly secret: string
  readonly by: 'client_secret_basic' | 'client_secret_post' | 'none'
}

export interface Person {
  readonly username: string
  readonly password: string
}

export interface Deployment extends AsyncDisposable {
  readonly origin: string
  readonly fetch: Fetch
  /** Lets time pass for the server. */
  pass(seconds: number): Promise<void>
  /** By the server's clock. */
  now(): Date
  browser(kind?: BrowserKind): Browser
  /** A person who has not met any client yet. */
  somebody(): Person
}

/** A deployment with other clients, or with settings of its own. */
export interface DeploymentOptions {
  readonly clients?: readonly object[]
  readonly env?: Readonly<Record<string, string>>
  /** How many people there are. */
  readonly people?: number
  /** SQLite if not said. */
  readonly on?: 'PostgreSQL'
  /** Whether all of it is there a second time, at a tenant's issuer. */
  readonly tenant?: boolean
}

export const tenant = 'acme'

/** The suite's own address; nothing listens there, because a browser that is driven stops in front of it. */
export const callback = 'https://localhost:8443/test/a/grantor/callback'

const client = (id: string, by: Client['by']): Client => ({ id, secret: `${id}-secret-of-32-or-more-characters`, by })
export const first = client('first', 'client_secret_basic')
export const second = client('second', 'client_secret_basic')
export const posting = client('posting', 'client_secret_post')

/** OIDC Core §5.1, all of it. */
export const claims = {
  name: 'Buffy Anne Summers',
  given_name: 'Buffy',
  middle_name: 'Anne',
  family_name: 'Summers',
  nickname: 'Buff',
  profile: 'https://people.example/buffy',
  picture: 'https://people.example/buffy.png',
  website: 'https://buffy.example',
  gender: 'female',
  birthdate: '1981-01-19',
  zoneinfo: 'America/Los_Angeles',
  locale: 'en-US',
  updated_at: 1_700_000_000,
  email: 'buffy@example.com',
  email_verified: true,
  phone_number: '+1 555 0100',
  phone_number_verified: true,
  address: {
    formatted: '1630 Revello Drive\nSunnydale, CA 95037\nUSA',
    street_address: '1630 Revello Drive',
    locality: 'Sunnydale',
    region: 'CA',
    postal_code: '95037',
    country: 'USA',
  },
}

const person = (_: unknown, i: number): Person => ({ username: `buffy-${i}`, password: `correct-horse-${i}` })

/** The suite's client as a declaration has it. */
export const declared = ({ id, secret, by }: Client, more: object = {}): object => ({
  client_id: id,
  ...(by === 'none' ? {} : { client_secret: secret }),
  client_name: `The suite's ${id} client`,
  redirect_uris: [callback],
  grant_types: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_method: by,
  scope: 'openid profile email address phone offline_access',
  // The certification plans send no code challenge, but for the one module that does.
  pkce: 'public_clients',
  ...more,
})

const postgres = ({ url }: { readonly url: string }) => ({
  GRANTOR_DATABASE_URL: url,
  GRANTOR_DATABASE_TIMEOUT: '60s',
  GRANTOR_MASTER_KEY: 'a-master-key-for-the-suite-0123456789',
})

const suiteClients = [first, second, posting].map((it) => declared(it))

export async function openDeployment(options: DeploymentOptions = {}): Promise<Deployment> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const people = Array.from({ length: options.people ?? 4 }, person)
  const users = people.map((it) => ({ ...it, ...claims }))
  const clients = options.clients ?? suiteClients
  const seed = { users, clients, ...(options.tenant === true ? { tenants: [{ id: tenant, users, clients }] } : {}) }
  const database = options.on === undefined ? {} : postgres(stack.use(await temporaryDatabase()))
  let ahead = 0
  const clock = folder.write('clock', String(ahead))
  const server = stack.use(
    await startServer({
      data: folder.path,
      seed: folder.write('seed.json', seed),
      env: {
        GRANTOR_LOG: 'warn',
        GRANTOR_LIMIT_AUTHORIZE: 'off',
        GRANTOR_REGISTRATION_ERROR_REDIRECTS: 'always',
        SUITE_CLOCK: clock,
        ...database,
        ...options.env,
      },
      execArgv: ['--import', join(import.meta.dirname, 'clock.ts')],
    }),
  )
  const agent = stack.adopt(new Agent({ connect: { ca: server.ca ?? '' } }), (one) => one.close())
  const trusting: Fetch = (url, init) => undiciFetch(url, { ...init, dispatcher: agent })
  const strangers = people.values()
  const owned = stack.move()
  return {
    origin: server.issuer,
    fetch: trusting,
    async pass(seconds) {
      // Over PostgreSQL a server goes by the clock of the database, which nobody sets: there it takes its time.
      if (options.on !== undefined) return delay(seconds * 1000)
      ahead += seconds * 1000
      // In one step: the server reads it at any moment.
      writeFileSync(`${clock}.next`, String(ahead))
      renameSync(`${clock}.next`, clock)
    },
    now: () => new Date(Date.now() + ahead),
    browser: (kind = 'plain') => new Browser({ issuer: new URL(server.issuer), fetch: trusting, kind }),
    somebody() {
      const { value } = strangers.next()
      if (value === undefined) throw new Error('declare more people')
      return value
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
