/** People whose passwords a directory keeps: a real OpenLDAP server, asked by the real command over TLS. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { createServer, type Server as NetServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { newCertificate } from '../certificates.ts'
import { type Database, temporaryDatabase } from '../database.ts'
import { baseDn, dnOf, ensureSlapd, groupDn, searcher, type Slapd, startSlapd } from '../slapd.ts'
import { runCommand, type Server, startServer, temporaryFolder } from '../server.ts'

const missing = ensureSlapd()

const people = [
  { uid: 'ada', cn: 'Ada Lovelace', password: 'password of ada', mail: 'ada@corp.example' },
  { uid: 'grace', password: 'password of grace', mail: 'grace@corp.example' },
  { uid: 'jürgen', password: 'password of jürgen', mail: 'juergen@corp.example' },
  { uid: 'locked', password: 'password of locked', mail: 'locked@corp.example', locked: true },
  { uid: 'gone', password: 'password of gone', mail: 'gone@corp.example', employeeType: 'left' },
  { uid: 'twin', password: 'password of twin', mail: 'one@corp.example' },
  { uid: 'other', password: 'password of other', mail: 'twin' },
  // What a filter would find if a typed name were a part of it.
  { uid: 'star', password: 'password of star', mail: 'star@corp.example' },
]
const groups = [{ cn: 'staff', members: ['ada', 'grace'] }]
const local = { username: 'local', password: 'password of local' }

interface Attempt {
  readonly status: number
  readonly location: string
  readonly body: string
  readonly cookies: string
}

const ask = async (server: Server, path: string, cookies: string, form?: Readonly<Record<string, string>>) => {
  const content = form === undefined ? undefined : new URLSearchParams(form).toString()
  const asking = request({
    host: 'localhost',
    port: server.port,
    path,
    ca: server.ca ?? undefined,
    method: content === undefined ? 'GET' : 'POST',
    headers: {
      cookie: cookies,
      ...(content === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
  })
  asking.end(content)
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  const set = (response.headers['set-cookie'] ?? []).map((line) => line.split(';')[0] ?? '')
  const kept = [...cookies.split('; ').filter((it) => it !== ''), ...set]
  return {
    status: response.statusCode ?? 0,
    location: response.headers.location ?? '',
    body: await text(response),
    cookies: kept.join('; '),
  }
}

async function attempt(server: Server, username: string, password: string): Promise<Attempt> {
  const page = await ask(server, '/account', '')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  return ask(server, '/account/enter', page.cookies, { csrf, username, password })
}

const came = ({ status, location }: Attempt): boolean => status === 303 && location.startsWith('/account')
const refused = ({ status }: Attempt): boolean => status === 401

interface DeployOptions {
  readonly allow: readonly string[]
  readonly more?: object
  /** Left out: SQLite. */
  readonly database?: Database
}

/** A deployment with these providers; gone with its block. */
async function deploy(providers: readonly object[], { allow, more = {}, database }: DeployOptions) {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(temporaryFolder())
  const users = [local]
  const seed = folder.write('seed.json', { providers, users, groups: [{ name: 'Staff' }], ...more })
  const env = {
    GRANTOR_OUTBOUND_ALLOW: allow.join(','),
    GRANTOR_LOG: 'warn',
    ...(database === undefined
      ? {}
      : { ...database.settings, GRANTOR_MASTER_KEY: 'a-master-key-for-interop-tests-0123456789' }),
  }
  const server = stack.use(await startServer({ data: folder.path, seed, env }))
  const owned = stack.move()
  const events = async (): Promise<string> => {
    const { stdout } = await runCommand(['audit', 'export'], { data: folder.path, env })
    return stdout
  }
  return { server, folder, env, events, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

describe('a directory that keeps passwords', { skip: missing ?? false }, () => {
  let slapd: Slapd
  let ca = ''
  let otherCa = ''
  const stack = new AsyncDisposableStack()

  before(async () => {
    const signer = await newCertificate({ name: 'Corp CA', authority: true })
    const certificate = await newCertificate({ name: 'localhost', signer, host: 'localhost' })
    ca = signer.cert
    otherCa = (await newCertificate({ name: 'Another CA', authority: true })).cert
    slapd = stack.use(await startSlapd({ certificate, ca, people, groups }))
  })
  after(() => stack.disposeAsync())

  const directory = (more: object = {}): object => ({
    id: 'corp',
    kind: 'ldap',
    name: 'Corp',
    hosts: [slapd.ldaps],
    ca,
    base_dn: baseDn,
    client_id: searcher.dn,
    client_secret: searcher.password,
    filter: '(&(|(uid={username})(mail={username}))(!(employeeType=left)))',
    create: true,
    ...more,
  })
  const allow = () => [`localhost:${slapd.tlsPort}`, `localhost:${slapd.port}`]

  for (const on of ['SQLite', 'PostgreSQL'])
    test(`its people sign in with its passwords, ours with ours, and nobody else, on ${on}`, async () => {
      await using own = new AsyncDisposableStack()
      const database = on === 'SQLite' ? {} : { database: own.use(await temporaryDatabase()) }
      await using it = await deploy([directory({ trust_email: true, groups: { [groupDn('staff')]: 'Staff' } })], {
        allow: allow(),
        ...database,
      })
      const { server } = it
      const first = await attempt(server, 'ada', 'password of ada')
      assert.ok(came(first), `${first.status} ${first.body} ${server.output()} ${await it.events()}`)
      assert.match((await ask(server, '/account/profile', first.cookies)).body, /Ada Lovelace/)
      assert.ok(came(await attempt(server, 'ada@corp.example', 'password of ada')), 'by address')
      assert.ok(came(await attempt(server, 'jürgen', 'password of jürgen')), 'a name that is not ASCII')
      assert.ok(came(await attempt(server, local.username, local.password)), 'our own')
      for (const [username, password] of [
        ['ada', 'password of grace'],
        ['ada', ''],
        ['ada@corp.example', ''],
        ['nobody', ''],
        ['nobody', 'password of ada'],
        ['locked', 'password of locked'],
        ['gone', 'password of gone'],
        ['twin', 'password of twin'],
        ['local', 'password of ada'],
        [dnOf('ada'), 'password of ada'],
        ['', 'password of ada'],
        ['searcher', searcher.password],
      ] as const)
        assert.ok(refused(await attempt(server, username, password)), `${username} with ${password}`)
      const log = await it.events()
      for (const problem of ['ldap_bind_49', 'ldap_no_entry', 'ldap_several_entries', 'ldap_password_empty'])
        assert.ok(log.includes(problem), `${problem} in ${log}`)
      assert.match(log, /"amr":\["pwd"\][^}]*"provider":"corp"|"provider":"corp"[^}]*"amr":\["pwd"\]/)
      assert.match(log, /admin\.group_changed/)
      for (const { password } of people) assert.ok(!log.includes(password) && !server.output().includes(password))
    })

  test('RFC 4515 §3: what is typed is a value, whatever it holds', async () => {
    await using it = await deploy([directory()], { allow: allow() })
    for (const username of [
      '*',
      'st*r',
      'star)(uid=*',
      'star)(|(uid=*',
      'nobody)(|(uid=star',
      '*)(uid=star))(|(uid=*',
      'star\\2a',
      '\\73tar',
      'star)(!(employeeType=left)))(&(uid=star',
    ])
      assert.ok(refused(await attempt(it.server, username, 'password of star')), username)
    assert.ok(!came(await attempt(it.server, 'star\u0000', 'password of star')))
    assert.ok(came(await attempt(it.server, 'star', 'password of star')))
  })

  test('StartTLS: a server that begins plain is made TLS before anything is said', async () => {
    await using it = await deploy([directory({ hosts: [slapd.ldap] })], { allow: allow() })
    assert.ok(came(await attempt(it.server, 'ada', 'password of ada')))
    assert.ok(refused(await attempt(it.server, 'ada', 'another')))
  })

  test('a certificate of another authority, or of another host, is not believed, and no password is sent', async () => {
    await using it = await deploy([directory({ ca: otherCa })], { allow: allow() })
    const answer = await attempt(it.server, 'ada', 'password of ada')
    assert.equal(answer.status, 503)
    assert.match(answer.body, /Corp cannot be reached/)
    assert.match(await it.events(), /ldap_tls_/)
    assert.ok(came(await attempt(it.server, local.username, local.password)), 'others are not concerned')
    await using another = await deploy([directory({ hosts: [slapd.ldaps.replace('localhost', '127.0.0.1')] })], {
      allow: [`127.0.0.1:${slapd.tlsPort}`],
    })
    assert.equal((await attempt(another.server, 'ada', 'password of ada')).status, 503)
    assert.match(await another.events(), /ldap_tls_err_tls_cert_altname_invalid/)
  })

  test('StartTLS that is refused, or answered with more than was asked, is the end of it', async () => {
    const heard: Buffer[] = []
    const refusing = await plainServer((socket) => {
      socket.on('data', (part) => {
        heard.push(Buffer.from(part))
        // unavailable (52), and a bind response behind it that nobody asked for.
        socket.write(
          Buffer.from('300c02010178070a01340400040030 0c02010261070a010004000400'.replaceAll(' ', ''), 'hex'),
        )
      })
    })
    const injecting = await plainServer((socket) => {
      socket.on('data', (part) => {
        heard.push(Buffer.from(part))
        socket.write(Buffer.from('300c02010178070a010004000400300c02010261070a010004000400', 'hex'))
      })
    })
    try {
      for (const server of [refusing, injecting]) {
        await using it = await deploy([directory({ hosts: [`ldap://localhost:${server.port}`] })], {
          allow: [`localhost:${server.port}`],
        })
        assert.equal((await attempt(it.server, 'ada', 'password of ada')).status, 503)
      }
      assert.ok(!Buffer.concat(heard).includes('password'))
    } finally {
      refusing.server.close()
      injecting.server.close()
    }
  })

  test('where one server is away or silent the next is asked; where all are, only its people wait', async () => {
    const silent = await plainServer(() => {})
    try {
      await using it = await deploy(
        [directory({ hosts: ['ldaps://localhost:1', `ldaps://localhost:${silent.port}`, slapd.ldaps] })],
        { allow: ['localhost'] },
      )
      assert.ok(came(await attempt(it.server, 'ada', 'password of ada')))
      assert.ok(refused(await attempt(it.server, 'ada', 'another')))
      await using down = await deploy([directory({ hosts: ['ldaps://localhost:1'] })], { allow: ['localhost'] })
      for (const name of ['ada', 'nobody'])
        assert.equal((await attempt(down.server, name, 'some password')).status, 503)
      assert.ok(came(await attempt(down.server, local.username, local.password)))
      assert.ok(refused(await attempt(down.server, local.username, 'another')))
    } finally {
      silent.server.close()
    }
  })

  test('guesses at a password of the directory are counted like any others, and its owner is told to wait', async () => {
    await using it = await deploy([directory()], { allow: allow() })
    for (let n = 0; n < 10; n++) assert.ok(refused(await attempt(it.server, 'grace', `guess ${n}`)))
    const late = await attempt(it.server, 'grace', 'password of grace')
    assert.ok(!came(late) && /Too many|too many/.test(late.body), late.body)
    assert.ok(came(await attempt(it.server, 'ada', 'password of ada')))
  })

  test('a wrong password of the searching account is told to the operator and to nobody else', async () => {
    await using it = await deploy([directory({ client_secret: 'wrong' })], { allow: allow() })
    assert.equal((await attempt(it.server, 'ada', 'password of ada')).status, 503)
    assert.match(await it.events(), /ldap_service_bind_49/)
  })

  test('an address inside the network is not gone to unless the operator named it', async () => {
    const folder = temporaryFolder()
    try {
      const file = folder.write('providers.json', { providers: [directory()] })
      const { code, stderr } = await runCommand(['apply', file], { data: folder.path })
      assert.notEqual(code, 0)
      assert.match(stderr, /private host/)
    } finally {
      folder[Symbol.dispose]()
    }
  })

  test('with domains only addresses of these are asked about, and without `create` only those who are linked', async () => {
    await using it = await deploy([directory({ domains: ['corp.example'] })], { allow: allow() })
    assert.ok(refused(await attempt(it.server, 'ada', 'password of ada')), 'a name that is not an address')
    assert.ok(came(await attempt(it.server, 'ada@corp.example', 'password of ada')))
    assert.ok(came(await attempt(it.server, 'ada', 'password of ada')), 'linked by now')
    await using closed = await deploy([directory({ create: false })], { allow: allow() })
    assert.ok(refused(await attempt(closed.server, 'ada', 'password of ada')))
    assert.match(await closed.events(), /"unlinked"/)
  })

  test('an address of the directory takes over nobody’s account unless it is trusted', async () => {
    const holder = {
      username: 'countess',
      password: 'password of hers',
      email: 'ada@corp.example',
      email_verified: true,
    }
    await using it = await deploy([directory()], { allow: allow(), more: { users: [local, holder] } })
    const first = await attempt(it.server, 'ada', 'password of ada')
    assert.ok(came(first))
    assert.doesNotMatch((await ask(it.server, '/account/profile', first.cookies)).body, /countess/)
  })
})

async function plainServer(
  serve: (socket: Socket) => void,
): Promise<{ readonly server: NetServer; readonly port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(typeof address === 'object' && address !== null)
  server.unref()
  return { server, port: address.port }
}
