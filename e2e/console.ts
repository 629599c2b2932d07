/** The console in a browser: a deployment with administrators, and somebody who has signed in to it. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { grantorCommand, startServer, temporaryFolder } from '../interop/server.ts'
import { startSmtpServer, type TestSmtpServer } from '../interop/smtp-server.ts'
import { openPerson, type Person } from './person.ts'

export const secret = 'robot-secret-of-32-or-more-characters'
export const password = 'correct-horse-battery'

/** Texts that a page must only ever show. */
export const hostileName = `<img src=x onerror="document.title='owned'"> שלום 🛒 ${'long '.repeat(10)}`.trim()

const nouns = [
  'api-keys',
  'clients',
  'consents',
  'grants',
  'groups',
  'keys',
  'mails',
  'providers',
  'resources',
  'roles',
  'scopes',
  'sessions',
  'tenants',
  'users',
  'webhooks',
]
const administration = [
  'admin:events:read',
  'admin:statistics:read',
  'revocations:read',
  'ssf.read',
  'ssf.manage',
  ...nouns.flatMap((noun) => [`admin:${noun}:read`, `admin:${noun}:write`]),
].join(' ')

const seed = {
  tenants: [
    {
      id: 'acme',
      name: hostileName,
      users: [{ username: 'tina', password, name: 'Tina Tenant', administrator: 'owner' }],
    },
  ],
  resources: [{ identifier: 'https://orders.example', name: 'Orders' }],
  scopes: [{ name: 'orders:read', description: 'See orders', resource: 'https://orders.example' }],
  users: [
    { username: 'ada', password, name: 'Ada Lovelace', administrator: 'owner' },
    { username: 'owen', password, name: 'Owen Owner', administrator: 'owner' },
    { username: 'mia', password, name: 'Mia Merger', administrator: 'owner' },
    { username: 'lea', password, name: 'Lea Linker', administrator: 'owner' },
    { username: 'aud', password, name: 'Aud Itor', administrator: 'auditor' },
    { username: 'fay', password, name: 'Fay Former', administrator: 'owner' },
    { username: 'sue', password, name: 'Sue Sessions', administrator: 'owner' },
    { username: 'olga', password, name: 'Olga Owner', administrator: 'owner' },
    { username: 'dee', password, name: 'Dee Moted', administrator: 'operator' },
    { username: 'nobody', password, name: hostileName, email: 'nobody@example.com' },
  ],
  clients: [
    {
      client_id: 'robot',
      client_secret: secret,
      grant_types: ['client_credentials'],
      response_types: [],
      scope: administration,
    },
    {
      client_id: 'worker',
      client_secret: secret,
      grant_types: ['client_credentials'],
      response_types: [],
      scope: 'orders:read',
    },
    {
      client_id: 'shop',
      client_name: hostileName,
      client_secret: secret,
      redirect_uris: ['https://shop.example/cb'],
      scope: 'openid profile orders:read',
    },
    {
      client_id: 'guessed',
      client_secret: secret,
      grant_types: ['client_credentials'],
      response_types: [],
    },
    {
      client_id: 'walker',
      client_name: 'Walker',
      token_endpoint_auth_method: 'none',
      redirect_uris: ['https://walker.example/cb'],
      scope: 'openid orders:read',
    },
  ],
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly body: string
}

export interface ConsoleDeployment extends AsyncDisposable {
  readonly issuer: string
  /** Ends the server, and starts it again at the same address with all that it had. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Where its mails arrive. */
  readonly smtp: TestSmtpServer
  /** A form from a client. */
  post(path: string, user: string, form: Readonly<Record<string, string>>): Promise<HttpAnswer>
  /** A command beside the server, on the same data; a file for it is written first. */
  grantor(words: readonly string[], file: { readonly name: string; readonly content: object }): Promise<void>
  /** The admin API, by a client that may do everything. */
  call(method: string, path: string, body?: object): Promise<HttpAnswer>
}

export async function deployConsole(): Promise<ConsoleDeployment> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const smtp = stack.use(await startSmtpServer())
  const env = {
    GRANTOR_LOG: 'warn',
    GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${smtp.port}`,
    GRANTOR_MAIL_FROM: 'Example <login@as.example>',
  }
  const options = { data: folder.path, seed: folder.write('seed.json', seed), env }
  let server = stack.use(await startServer(options))
  const send = (method: string, path: string, headers: Record<string, string>, body = ''): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const call = request(`${server.issuer}${path}`, { method, headers, ca: server.ca ?? undefined }, (answer) => {
        text(answer).then(
          (read) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: read }),
          reject,
        )
      })
      call.on('error', reject).end(body)
    })
  const post: ConsoleDeployment['post'] = (path, user, form) =>
    send(
      'POST',
      path,
      {
        authorization: `Basic ${Buffer.from(user).toString('base64')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      new URLSearchParams(form).toString(),
    )
  const newToken = async (): Promise<string> => {
    const issued = await post('/token', `robot:${secret}`, { grant_type: 'client_credentials', scope: administration })
    assert.equal(issued.status, 200, issued.body)
    return (JSON.parse(issued.body) as { access_token: string }).access_token
  }
  let token = await newToken()
  const callWith = (method: string, path: string, body?: object): Promise<HttpAnswer> =>
    send(
      method,
      path,
      {
        authorization: `Bearer ${token}`,
        ...(body === undefined
          ? {}
          : { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' }),
      },
      body === undefined ? '' : JSON.stringify(body),
    )
  const call: ConsoleDeployment['call'] = async (method, path, body) => {
    const answer = await callWith(method, path, body)
    if (answer.status !== 401) return answer
    // On a slow machine the tests outlive a token.
    token = await newToken()
    return callWith(method, path, body)
  }
  const owned = stack.move()
  return {
    issuer: server.issuer,
    stop: async () => void (await server.stop()),
    async start() {
      server = owned.use(await startServer({ ...options, env: { ...env, GRANTOR_PORT: String(server.port) } }))
    },
    smtp,
    async grantor(words, { name, content }) {
      const file = folder.write(name, content)
      const run = { env: { ...process.env, ...env, GRANTOR_DATA: folder.path } }
      await promisify(execFile)(process.execPath, [grantorCommand, ...words, file], run)
    },
    post,
    call,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** Of one step, on a busy machine; it bounds a test that fails. */
const patience = 30_000

interface ConsoleVisit {
  readonly username?: string
  /** Of another than the deployment's own: `/t/acme`. */
  readonly tenant?: string
  readonly path?: string
}

/** Opens a page of the console and signs in on the way. */
export async function openConsole(
  browser: Browser,
  { issuer }: Pick<ConsoleDeployment, 'issuer'>,
  { username = 'ada', tenant = '', path = '', ...how }: ConsoleVisit & BrowserContextOptions = {},
): Promise<Person> {
  const person = await openPerson(browser, { viewport: { width: 1280, height: 860 }, ...how })
  person.page.setDefaultTimeout(patience)
  await person.page.goto(`${issuer}${tenant}/console${path}`)
  await person.page.waitForSelector('#username')
  await person.signIn({ username, password, name: username })
  await person.page.waitForSelector('.frame main h1, .centre button')
  return person
}

/** Goes on to a page as a link would, without loading the console anew. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState(null, '', location.pathname.replace(/\\/console.*/, '/console') + ${JSON.stringify(path)});
    dispatchEvent(new PopStateEvent('popstate'))`)
  await page.waitForSelector('main h1, main h2')
  await page.waitForSelector('[aria-busy="true"]', { state: 'detached' })
}

/** Looks at pages by their paths, each in two widths and two themes, with axe. */
export async function checkPages(person: Person, paths: Readonly<Record<string, string>>): Promise<void> {
  const { page } = person
  for (const [name, path] of Object.entries(paths)) {
    await visit(page, path)
    for (const [width, scheme] of [
      [1280, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme })
      await page.setViewportSize({ width, height: 860 })
      await person.checkPage(`console-${name}-${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 860 })
    await page.emulateMedia({ colorScheme: 'light' })
  }
}
