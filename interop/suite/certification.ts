/**
 * What the OpenID Foundation's conformance suite is given to run against us: the objects to declare here (`seed.json`), the
 * configurations to run there (`plan.json`, one for each logout channel, and `plan-dynamic.json` for the plans that register
 * their clients), with the steps of its browser, and the settings to start the server with (`server.env`).
 *
 *     node interop/suite/certification.ts FOLDER ISSUER SUITE
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claims, type Client, declared, first, type Person, posting, second } from './deployment.ts'

/** One page, and what is done on it: [command, kind of selector, selector, …]. */
export interface Task {
  readonly task: string
  readonly match: string
  readonly optional?: true
  readonly commands: readonly (readonly (string | number)[])[]
}

export interface Browsing {
  /** The first entry that matches an address is walked, as often as its limit says. */
  readonly browser: readonly {
    readonly match: string
    readonly 'match-limit'?: number
    readonly tasks: readonly Task[]
  }[]
}

export interface Plan extends Browsing {
  readonly override: Readonly<Record<string, Browsing>>
  readonly [field: string]: unknown
}

export interface Addresses {
  readonly issuer: string
  /** Where the suite runs. */
  readonly suite: string
}

const alias = 'grantor'
const channel = (id: string): Client => ({ ...first, id, secret: `${id}-secret-of-32-or-more-characters` })
const backChannel = channel('back-channel')
export const frontChannel = channel('front-channel')

export const person: Person = { username: 'buffy', password: 'correct-horse-battery' }

export const seedFor = ({ suite }: Addresses): object => ({
  users: [{ ...person, ...claims }],
  clients: clientsAt(`${suite}/test/a/${alias}`),
})

/** A client that hears by a channel is called by it in every module: each channel has a client of its own. */
const clientsAt = (base: string): readonly object[] => {
  const addresses = {
    redirect_uris: [`${base}/callback`],
    post_logout_redirect_uris: [`${base}/post_logout_redirect`],
  }
  return [
    ...[first, second, posting].map((it) => declared(it, addresses)),
    declared(backChannel, { ...addresses, backchannel_logout_uri: `${base}/backchannel_logout` }),
    declared(frontChannel, { ...addresses, frontchannel_logout_uri: `${base}/frontchannel_logout` }),
  ]
}

const credentials = ({ id, secret }: Client) => ({ client_id: id, client_secret: secret })

export const login = (more: Task['commands'] = [], who: Person = person): Task => ({
  task: 'Login',
  optional: true,
  match: '*/interact/*',
  // Whoever is signed in already is asked for consent at this same address: then there is nothing to type.
  commands: [
    ...more,
    ['text', 'id', 'username', who.username, 'optional'],
    ['text', 'id', 'password', who.password, 'optional'],
    ['click', 'id', 'sign-in', 'optional'],
  ],
})

export const consent: Task = {
  task: 'Consent',
  optional: true,
  match: '*/interact/*',
  commands: [
    ['click', 'id', 'allow', 'optional'],
    ['wait', 'contains', '/callback', 10],
  ],
}

export const complete: Task = {
  task: 'Verify Complete',
  match: '*/test/*/callback*',
  commands: [['wait', 'id', 'submission_complete', 10]],
}

/** All that some modules want; who signed in then would disturb them. */
const signInPicture: Task = {
  task: 'Keep a picture of the sign-in page',
  match: '*/interact/*',
  commands: [['wait', 'id', 'sign-in', 10, '.+', 'update-image-placeholder']],
}

/** The suite keeps a picture of it, where a module asks for one. */
const picturedLogin = login([['wait', 'id', 'sign-in', 10, '.+', 'update-image-placeholder-optional']])

const errorPage: Task = {
  task: 'Expect our error page',
  match: '*/authorize*',
  commands: [['wait', 'id', 'error', 10, '.+', 'update-image-placeholder']],
}

/** With a hint for the session at hand there is nothing to press. */
const signOut: Task = {
  task: 'Sign out',
  optional: true,
  match: '*/logout*',
  commands: [['click', 'id', 'sign-out', 'optional']],
}

const returned: Task = {
  task: 'Verify the way back',
  match: '*/test/*/post_logout_redirect*',
  commands: [['wait', 'id', 'complete', 10]],
}

const stays = (task: string, id: string, match: string): Task => ({
  task,
  match,
  optional: true,
  commands: [['wait', 'id', id, 10, '.+', 'update-image-placeholder']],
})

/** The address of a refused request is the one that was asked; our question has one of its own. */
const refusedLogout = stays('Expect our error page', 'error', '*/logout?*')
const signedOut = stays('Expect to be signed out', 'signed-out', '*/signed-out*')

/** Modules that must not lead the person back. */
const staying = [
  'bad-post-logout-redirect-uri',
  'query-added-to-post-logout-redirect-uri',
  'modified-id-token-hint',
  'bad-id-token-hint',
  'no-id-token-hint',
  'no-params',
  'no-post-logout-redirect-uri',
  'only-state',
]

/** Metadata of drafts are named, because the suite warns of what it does not know. */
export const serverAt = (issuer: string): object => ({
  discoveryUrl: `${issuer}/.well-known/openid-configuration`,
  allow_unexpected_metadata_fields: ['identity_chaining_requested_token_types_supported'],
})

/** Modules whose request names an address that is not the client's, or none. */
const wrongAddress = [
  'ensure-registered-redirect-uri',
  'ensure-request-object-with-redirect-uri',
  'ensure-redirect-uri-in-authorization-request',
  'redirect-uri-query-mismatch',
  'redirect-uri-query-added',
]

export function planFor({ issuer }: Addresses, client: Client = first): Plan {
  const authorization = (...tasks: readonly Task[]): Browsing => ({
    browser: [{ match: `${issuer}/authorize*`, tasks }],
  })
  const endingWith = (...tasks: readonly Task[]): Browsing => ({
    browser: [...authorization(login(), consent, complete).browser, { match: `${issuer}/logout*`, tasks }],
  })
  const stay = endingWith(refusedLogout, signOut, signedOut)
  return {
    alias,
    description: 'Grantor',
    server: { ...serverAt(issuer), login_hint: person.username },
    client: credentials(client),
    client2: credentials(second),
    client_secret_post: credentials(posting),
    ...endingWith(signOut, returned),
    override: {
      'oidcc-prompt-login': authorization(picturedLogin, consent, complete),
      'oidcc-max-age-1': authorization(picturedLogin, consent, complete),
      ...Object.fromEntries(
        ['logo', 'policy', 'tos'].map((what) => [`oidcc-registration-${what}-uri`, authorization(signInPicture)]),
      ),
      ...Object.fromEntries(wrongAddress.map((name) => [`oidcc-${name}`, authorization(errorPage)])),
      ...Object.fromEntries(staying.map((name) => [`oidcc-rp-initiated-logout-${name}`, stay])),
    },
  }
}

/** Basic with dynamic registration, and the modules oidcc-registration-*: the suite brings no client of its own. */
export function dynamicPlanFor(addresses: Addresses): Plan {
  const { client: _client, client2: _client2, client_secret_post: _posting, ...plan } = planFor(addresses)
  const name = (client_name: string) => ({ client_name })
  return { ...plan, client: name('The suite'), client2: name('The suite again') }
}

/**
 * The plans send no code challenge (the declared clients say so themselves), look for errors at their own address, register
 * more clients in a minute than one address may in an hour, and have private addresses where the suite runs beside us. The
 * clients of the dynamic plan name the token endpoint as the audience of their assertions.
 */
export const settingsFor = ({ suite }: Addresses): readonly string[] => [
  'GRANTOR_PKCE=public_clients',
  'GRANTOR_REGISTRATION_MODE=open',
  'GRANTOR_ASSERTION_AUDIENCE=endpoints',
  'GRANTOR_REGISTRATION_ERROR_REDIRECTS=always',
  'GRANTOR_LIMIT_REGISTRATION=off',
  'GRANTOR_LIMIT_AUTHORIZE=off',
  `GRANTOR_OUTBOUND_ALLOW=${new URL(suite).host}`,
]

if (import.meta.main) {
  const [folder, issuer, suite] = process.argv.slice(2)
  if (folder === undefined || issuer === undefined || suite === undefined) {
    throw new Error('usage: node interop/suite/certification.ts FOLDER ISSUER SUITE')
  }
  const write = (name: string, content: object) =>
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  write('seed.json', seedFor({ issuer, suite }))
  writeFileSync(join(folder, 'server.env'), `${settingsFor({ issuer, suite }).join('\n')}\n`)
  write('plan.json', planFor({ issuer, suite }))
  write('plan-dynamic.json', dynamicPlanFor({ issuer, suite }))
  write('plan-back-channel.json', planFor({ issuer, suite }, backChannel))
  write('plan-front-channel.json', planFor({ issuer, suite }, frontChannel))
}
