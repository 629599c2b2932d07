/**
 * What the OpenID Foundation's conformance suite is given to run against us: the objects to declare here (`seed.json`) and
 * the configuration to paste there (`plan.json`), with the steps by which its browser signs in.
 *
 *     node interop/suite/certification.ts FOLDER ISSUER SUITE
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claims, type Client, declared, first, type Person, posting, second } from './house.ts'

/** One page, and what is done on it: [command, kind of selector, selector, …]. */
export interface Task {
  readonly task: string
  readonly match: string
  readonly optional?: true
  readonly commands: readonly (readonly (string | number)[])[]
}

interface Browsing {
  readonly browser: readonly { readonly match: string; readonly tasks: readonly Task[] }[]
}

export interface Plan extends Browsing {
  readonly override: Readonly<Record<string, Browsing>>
  readonly [field: string]: unknown
}

export interface Places {
  readonly issuer: string
  /** Where the suite runs. */
  readonly suite: string
}

const alias = 'grantor'
export const person: Person = { username: 'buffy', password: 'correct-horse-battery' }

export const seedFor = ({ suite }: Places): object => ({
  users: [{ ...person, ...claims }],
  clients: [first, second, posting].map((it) => declared(it, { redirect_uris: [`${suite}/test/a/${alias}/callback`] })),
})

const credentials = ({ id, secret }: Client) => ({ client_id: id, client_secret: secret })

const login = (more: Task['commands'] = []): Task => ({
  task: 'Login',
  optional: true,
  match: '*/interact/*',
  // Whoever is signed in already is asked for consent at this same address: then there is nothing to type.
  commands: [
    ...more,
    ['text', 'id', 'username', person.username, 'optional'],
    ['text', 'id', 'password', person.password, 'optional'],
    ['click', 'id', 'sign-in', 'optional'],
  ],
})

const consent: Task = {
  task: 'Consent',
  optional: true,
  match: '*/interact/*',
  commands: [
    ['click', 'id', 'allow', 'optional'],
    ['wait', 'contains', '/callback', 10],
  ],
}

const complete: Task = {
  task: 'Verify Complete',
  match: '*/test/*/callback*',
  commands: [['wait', 'id', 'submission_complete', 10]],
}

const secondLogin = login([['wait', 'id', 'sign-in', 10, '.+', 'update-image-placeholder-optional']])

const errorPage: Task = {
  task: 'Expect our error page',
  match: '*/authorize*',
  commands: [['wait', 'id', 'error', 10, '.+', 'update-image-placeholder']],
}

export function planFor({ issuer }: Places): Plan {
  const authorization = (...tasks: readonly Task[]): Browsing => ({
    browser: [{ match: `${issuer}/authorize*`, tasks }],
  })
  return {
    alias,
    description: 'Grantor',
    server: { discoveryUrl: `${issuer}/.well-known/openid-configuration`, login_hint: person.username },
    client: credentials(first),
    client2: credentials(second),
    client_secret_post: credentials(posting),
    ...authorization(login(), consent, complete),
    override: {
      'oidcc-prompt-login': authorization(secondLogin, consent, complete),
      'oidcc-max-age-1': authorization(secondLogin, consent, complete),
      'oidcc-ensure-registered-redirect-uri': authorization(errorPage),
      'oidcc-ensure-request-object-with-redirect-uri': authorization(errorPage),
    },
  }
}

if (import.meta.main) {
  const [folder, issuer, suite] = process.argv.slice(2)
  if (folder === undefined || issuer === undefined || suite === undefined) {
    throw new Error('usage: node interop/suite/certification.ts FOLDER ISSUER SUITE')
  }
  const write = (name: string, content: object) =>
    writeFileSync(join(folder, name), `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  write('seed.json', seedFor({ issuer, suite }))
  write('plan.json', planFor({ issuer, suite }))
}
