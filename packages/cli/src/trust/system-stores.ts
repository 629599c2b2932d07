/** The system's own store: for each kind of system, the commands that change it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LocalAuthority } from './local-authority.ts'
import type { CommandWords, Machine } from './machine.ts'
import type { MissingStore, TrustStore } from './store.ts'

/** A folder of certificates, and the commands after which the system reads it again. */
interface AnchorFolder {
  readonly system: string
  readonly folder: string
  readonly extension: string
  readonly refresh: CommandWords
  readonly refreshAfterRemoval: CommandWords
}

/** The first entry whose folder and program exist is used. */
const anchorFolders: readonly AnchorFolder[] = [
  {
    system: 'Fedora, Red Hat',
    folder: 'etc/pki/ca-trust/source/anchors',
    extension: 'pem',
    refresh: ['update-ca-trust', 'extract'],
    refreshAfterRemoval: ['update-ca-trust', 'extract'],
  },
  {
    system: 'Arch',
    folder: 'etc/ca-certificates/trust-source/anchors',
    extension: 'crt',
    refresh: ['update-ca-trust', 'extract'],
    refreshAfterRemoval: ['update-ca-trust', 'extract'],
  },
  {
    system: 'SUSE',
    folder: 'etc/pki/trust/anchors',
    extension: 'pem',
    refresh: ['update-ca-certificates'],
    refreshAfterRemoval: ['update-ca-certificates'],
  },
  {
    system: 'Debian, Ubuntu, Alpine',
    folder: 'usr/local/share/ca-certificates',
    extension: 'crt',
    refresh: ['update-ca-certificates'],
    // A certificate removed from the folder leaves the bundle only if the bundle is built again.
    refreshAfterRemoval: ['update-ca-certificates', '--fresh'],
  },
]

const filePrefix = 'grantor-local-ca-'

export function systemStore(machine: Machine): TrustStore | MissingStore {
  if (machine.platform === 'darwin') return loginKeychain(machine)
  if (machine.platform === 'win32') return windowsRoots(machine)
  const row = anchorFolders.find(
    ({ folder, refresh }) => existsSync(join(machine.root, folder)) && machine.hasProgram(refresh[0]),
  )
  if (row !== undefined) return anchorStore(row, machine)
  return {
    kind: 'system',
    title: 'the system',
    missing: 'no store that is known here',
    fix: 'install ca-certificates, or add the certificate by hand',
  }
}

function anchorStore({ system, folder, extension, refresh, refreshAfterRemoval }: AnchorFolder, { root }: Machine) {
  const place = join(root, folder)
  const fileOf = ({ fingerprint }: LocalAuthority): string =>
    join(place, `${filePrefix}${fingerprint.slice(0, 16)}.${extension}`)
  const without = (file: string): readonly CommandWords[] => [['rm', '-f', file], refreshAfterRemoval]
  const store: TrustStore = {
    kind: 'system',
    title: `the system (${system})`,
    place,
    needsRoot: true,
    holds: async (authority) => {
      const file = fileOf(authority)
      return existsSync(file) && readFileSync(file, 'utf8').trim() === authority.pem.trim()
    },
    add: (authority) => [['install', '-m', '644', authority.file, fileOf(authority)], refresh],
    remove: (authority) => without(fileOf(authority)),
    ours: async () =>
      readdirSync(place)
        .filter((name) => name.startsWith(filePrefix))
        .map((name) => ({ name })),
    removeHeld: ({ name }) => without(join(place, name)),
  }
  return store
}

/** The person's own keychain: it needs no administrator, and macOS itself asks before it trusts a certificate. */
function loginKeychain(machine: Machine): TrustStore {
  const keychain = join(machine.home, 'Library', 'Keychains', 'login.keychain-db')
  const found = async (): Promise<readonly string[]> => {
    const { stdout } = await machine.ask([
      'security',
      'find-certificate',
      '-a',
      '-Z',
      '-c',
      'Grantor local CA',
      keychain,
    ])
    return [...stdout.matchAll(/SHA-1 hash: ([0-9A-F]{40})/g)].flatMap(([, hash]) => hash ?? [])
  }
  return {
    kind: 'system',
    title: 'the login keychain (macOS)',
    place: keychain,
    needsRoot: false,
    holds: async ({ thumbprint }) => (await found()).includes(thumbprint),
    add: ({ file }) => [['security', 'add-trusted-cert', '-r', 'trustRoot', '-k', keychain, file]],
    remove: ({ file, thumbprint }) => [
      ['security', 'remove-trusted-cert', file],
      ['security', 'delete-certificate', '-Z', thumbprint, keychain],
    ],
    ours: async () => (await found()).map((name) => ({ name })),
    removeHeld: ({ name }) => [['security', 'delete-certificate', '-t', '-Z', name, keychain]],
  }
}

/** The person's own roots: they need no administrator, and Windows itself asks before it trusts a certificate. */
function windowsRoots(machine: Machine): TrustStore {
  return {
    kind: 'system',
    title: 'the trusted roots (Windows)',
    place: 'Cert:\\CurrentUser\\Root',
    needsRoot: false,
    holds: async ({ thumbprint }) =>
      (await machine.ask(['certutil', '-user', '-store', 'Root', thumbprint])).code === 0,
    add: ({ file }) => [['certutil', '-user', '-addstore', '-f', 'Root', file]],
    remove: ({ thumbprint }) => [['certutil', '-user', '-delstore', 'Root', thumbprint]],
    // The output of certutil is in the language of the system, so it cannot be parsed.
    ours: null,
    removeHeld: ({ name }) => [['certutil', '-user', '-delstore', 'Root', name]],
  }
}
