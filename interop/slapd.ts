/** OpenLDAP's server as Debian packages it: brought where that is possible, and run with a few people in it. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Certificate } from './certificates.ts'
import { ensureDebianProgram } from './debian.ts'
import { freePort } from './plain-browser.ts'
import { listening, onFreePorts, stopProgram } from './program.ts'
import { temporaryFolder } from './server.ts'

const program = '/usr/sbin/slapd'

/** Null where it is there, or was put there; else why its tests are skipped. */
export const ensureSlapd = (): string | null =>
  ensureDebianProgram({ name: 'OpenLDAP', packages: 'slapd', files: [program, '/usr/lib/ldap/back_mdb.la'] })

export const baseDn = 'dc=corp,dc=example'
export const searcher = { dn: `cn=searcher,${baseDn}`, password: 'password of the searcher' }

export interface LdapPerson {
  readonly uid: string
  readonly password: string
  readonly mail?: string
  readonly cn?: string
  /** Locked by an administrator (pwdAccountLockedTime), or marked so that a filter leaves them out. */
  readonly locked?: boolean
  readonly employeeType?: string
}

export interface LdapGroup {
  readonly cn: string
  readonly members: readonly string[]
}

export interface Slapd extends AsyncDisposable {
  /** From the first byte, or by StartTLS. */
  readonly ldaps: string
  readonly ldap: string
  readonly port: number
  readonly tlsPort: number
}

export const dnOf = (uid: string): string => `uid=${uid},ou=people,${baseDn}`
export const groupDn = (cn: string): string => `cn=${cn},ou=groups,${baseDn}`

interface SlapdContent {
  readonly certificate: Certificate
  readonly ca: string
  readonly people: readonly LdapPerson[]
  readonly groups?: readonly LdapGroup[]
}

export async function startSlapd({ certificate, ca, people, groups = [] }: SlapdContent): Promise<Slapd> {
  const folder = temporaryFolder()
  const database = join(folder.path, 'database')
  mkdirSync(database)
  const files = {
    ca: folder.write('ca.pem', ca),
    cert: folder.write('cert.pem', certificate.cert),
    key: folder.write('key.pem', certificate.key),
  }
  const settings = folder.write(
    'slapd.conf',
    `modulepath /usr/lib/ldap
moduleload back_mdb
moduleload memberof
moduleload ppolicy
${['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
TLSCACertificateFile ${files.ca}
TLSCertificateFile ${files.cert}
TLSCertificateKeyFile ${files.key}
# As many a directory does: a bind without a password succeeds, as nobody (RFC 4513 §5.1.2).
allow bind_anon_dn bind_anon_cred
database mdb
suffix "${baseDn}"
rootdn "cn=admin,${baseDn}"
directory ${database}
overlay memberof
overlay ppolicy
ppolicy_default "cn=policy,${baseDn}"
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${searcher.dn}" read by * none
`,
  )
  const content = folder.write('content.ldif', ldif(people, groups))
  // The overlays work on what is added while it runs, and on what is loaded before, given this.
  execFileSync(program, ['-Ta', '-f', settings, '-l', content], { stdio: ['ignore', 'ignore', 'inherit'] })
  const { child, port, tlsPort } = await onFreePorts(async () => {
    const [port, tlsPort] = [await freePort(), await freePort()]
    const addresses = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`
    const child = spawn(program, ['-h', addresses, '-f', settings, '-d', '0'], { stdio: 'ignore' })
    await listening('slapd', tlsPort, child)
    return { child, port, tlsPort }
  })
  return {
    ldaps: `ldaps://localhost:${tlsPort}`,
    ldap: `ldap://localhost:${port}`,
    port,
    tlsPort,
    [Symbol.asyncDispose]: () => stopProgram(child, folder),
  }
}

const entry = (dn: string, lines: readonly string[]): string => [`dn: ${dn}`, ...lines, '', ''].join('\n')

function ldif(people: readonly LdapPerson[], groups: readonly LdapGroup[]): string {
  const memberships = (uid: string): readonly string[] =>
    groups.filter(({ members }) => members.includes(uid)).map(({ cn }) => `memberOf: ${groupDn(cn)}`)
  return [
    entry(baseDn, ['objectClass: dcObject', 'objectClass: organization', 'o: Corp', 'dc: corp']),
    entry(`ou=people,${baseDn}`, ['objectClass: organizationalUnit', 'ou: people']),
    entry(`ou=groups,${baseDn}`, ['objectClass: organizationalUnit', 'ou: groups']),
    entry(searcher.dn, [
      'objectClass: applicationProcess',
      'objectClass: simpleSecurityObject',
      'cn: searcher',
      `userPassword: ${searcher.password}`,
    ]),
    entry(`cn=policy,${baseDn}`, [
      'objectClass: device',
      'objectClass: pwdPolicy',
      'cn: policy',
      'pwdAttribute: userPassword',
      'pwdLockout: TRUE',
    ]),
    ...people.map(({ uid, password, mail, cn = uid, locked = false, employeeType }) =>
      entry(dnOf(uid), [
        'objectClass: inetOrgPerson',
        `uid: ${uid}`,
        `cn: ${cn}`,
        `sn: ${cn}`,
        `userPassword: ${password}`,
        ...(mail === undefined ? [] : [`mail: ${mail}`]),
        ...(employeeType === undefined ? [] : [`employeeType: ${employeeType}`]),
        ...(locked ? ['pwdAccountLockedTime: 000001010000Z'] : []),
        ...memberships(uid),
      ]),
    ),
    ...groups.map(({ cn, members }) =>
      entry(groupDn(cn), ['objectClass: groupOfNames', `cn: ${cn}`, ...members.map((uid) => `member: ${dnOf(uid)}`)]),
    ),
  ].join('')
}
