/** The certificate stores of browsers on Linux (NSS); on macOS and Windows browsers use the system's store. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type LocalAuthority, storeNamePrefix } from './local-authority.ts'
import type { CommandWords, Machine } from './machine.ts'
import type { MissingStore, TrustStore } from './store.ts'

/** In these folders, every folder that contains a store is a profile. */
const firefoxFolders = [
  '.mozilla/firefox',
  '.config/mozilla/firefox',
  'snap/firefox/common/.mozilla/firefox',
  '.var/app/org.mozilla.firefox/.mozilla/firefox',
]
const packagedChromium = ['snap/chromium/current/.pki/nssdb', '.var/app/org.chromium.Chromium/data/pki/nssdb']

export function browserStores(machine: Machine): readonly (TrustStore | MissingStore)[] {
  if (machine.platform === 'darwin' || machine.platform === 'win32') return []
  if (!machine.hasProgram('certutil')) {
    const fix = 'install certutil: libnss3-tools (Debian, Ubuntu), nss-tools (Fedora, Alpine), nss (Arch)'
    return [{ kind: 'browsers', title: 'browsers', missing: 'certutil is not installed', fix }]
  }
  return [
    ...chromiumFolders(machine).map((folder) => nssStore(machine, 'Chromium, Chrome', folder)),
    ...firefoxProfiles(machine).map((folder) => nssStore(machine, 'Firefox', folder)),
  ]
}

/**
 * The stores that exist; if none does, the one that every Chromium reads. It is not created if there is another one,
 * because Chromium would then ignore what the other contains.
 */
function chromiumFolders({ home, dataHome }: Machine): readonly string[] {
  const first = join(home, '.pki', 'nssdb')
  const shared = [first, join(dataHome, 'pki', 'nssdb')].filter(hasStore)
  return [...(shared.length === 0 ? [first] : shared), ...packagedChromium.map((it) => join(home, it)).filter(hasStore)]
}

const firefoxProfiles = ({ home }: Machine): readonly string[] =>
  firefoxFolders
    .map((folder) => join(home, folder))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter(hasStore)

const hasStore = (folder: string): boolean => existsSync(join(folder, 'cert9.db'))

function nssStore(machine: Machine, title: string, folder: string): TrustStore {
  const database = `sql:${folder}`
  const certutil = (...words: readonly string[]): CommandWords => ['certutil', '-d', database, ...words]
  const without = (name: string): readonly CommandWords[] => [certutil('-D', '-n', name)]
  const make: readonly CommandWords[] = [['mkdir', '-p', '-m', '700', folder], certutil('-N', '--empty-password')]
  return {
    kind: 'browsers',
    title,
    place: folder,
    needsRoot: false,
    holds: async (authority) => {
      if (!hasStore(folder)) return false
      const { code, stdout } = await machine.ask(certutil('-L', '-n', authority.name, '-a'))
      return code === 0 && sameCertificate(stdout, authority) && (await isTrusted(machine, certutil('-L'), authority))
    },
    // `C`: trusted as an authority for servers only.
    add: ({ name, file }) => [...(hasStore(folder) ? [] : make), certutil('-A', '-t', 'C,,', '-n', name, '-i', file)],
    remove: ({ name }) => without(name),
    ours: async () => {
      if (!hasStore(folder)) return []
      const { stdout } = await machine.ask(certutil('-L'))
      const names = stdout.split('\n').map((line) => /^(Grantor local CA [0-9a-f]{16}) /.exec(line)?.[1])
      return names.filter((name) => name !== undefined).map((name) => ({ name }))
    },
    removeHeld: ({ name }) => without(name),
  }
}

const bare = (pem: string): string => pem.replaceAll(/\s/g, '')

const sameCertificate = (pem: string, authority: LocalAuthority): boolean => bare(pem) === bare(authority.pem)

/** A certificate in the store is not necessarily trusted: the trust flag may be missing. */
async function isTrusted(machine: Machine, list: CommandWords, { name }: LocalAuthority): Promise<boolean> {
  const { stdout } = await machine.ask(list)
  const line = stdout.split('\n').find((it) => it.startsWith(`${name} `))
  return name.startsWith(storeNamePrefix) && line !== undefined && /C[A-Za-z]*,[A-Za-z]*,[A-Za-z]*\s*$/.test(line)
}
