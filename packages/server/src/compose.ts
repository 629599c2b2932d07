/** Composes the deployment from its settings, without HTTP. Only here and in compose-store.ts are real ports chosen. */
import { createHmac, hash, randomBytes, randomUUIDv7 } from 'node:crypto'
import {
  auditKeyContext,
  type Authority,
  type Clock,
  type Limiter,
  localPeople,
  memoryLimiter,
  openAuthority,
  settleSetBack,
  sharedLimiter,
  type Ids,
} from '@grantor/authority'
import type { Handle, Instant, Secret, TenantId } from '@grantor/protocol/types'
import { type AuditKeySource, type Store, StoreRefused, type UpgradeOptions } from '@grantor/store'
import { openStore, type ProcessRole, sqliteFileState } from './compose-store.ts'
import { ensureCommandLineClient, notMade } from './command-line-client.ts'
import { clientAuthMethodsFrom } from './config/client-auth-methods.ts'
import { usesPostgres } from './config/conflicts.ts'
import { type ConsoleClients, openConsoleClients } from './console-client.ts'
import { grantsFrom } from './config/grants.ts'
import { passwordPolicyFrom } from './config/passwords.ts'
import { signUpHookFrom } from './config/sign-up-hook.ts'
import { limitsFrom, policyFrom } from './config/policy.ts'
import type { Settings } from './config/settings.ts'
import { type DeploymentClock, openDeploymentClock } from './deployment-clock.ts'
import { defaultTenant, type Issuer, issuerFrom } from './issuer.ts'
import { openLog } from './log.ts'
import { mailFrom } from './mail/from-settings.ts'
import { loadMasterKey, previousMasterKeys } from './secrets/master-key.ts'
import { ldapFrom, outboundFrom } from './outbound/from-settings.ts'
import type { ServerOutbound } from './outbound/index.ts'
import { newDatabaseProblem, noteSealed, wasSealed } from './secrets/sealed-marker.ts'
import { consentTextVersion } from './pages/consent.ts'
import type { DemoSteps } from './pages/landing.ts'
import { StartError } from './start-error.ts'
import { tellKept } from './tls/authority-file.ts'
import { openClientAuthorities, type ReloadableClientAuthorities } from './tls/client-authorities.ts'
import { tracingFrom } from './tracing/from-settings.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'
import { deriveKey, type KeyedVault, type MasterKey, openVault } from './secrets/vault.ts'

export interface Deployment {
  readonly settings: Settings
  readonly issuer: Issuer
  readonly store: Store
  readonly authority: Authority
  readonly clock: DeploymentClock
  readonly vault: KeyedVault
  readonly outbound: ServerOutbound
  readonly tracing: Tracing
  readonly clientAuthorities: ReloadableClientAuthorities
  readonly consoleClients: ConsoleClients
  /** Seals the cursors of lists; the same on every node. */
  readonly cursorSecret: Uint8Array
  /** The steps that the front page offers; set by the command that starts a demo. */
  readonly demoSteps: DemoSteps
  close(): Promise<void>
}

/** Ids begin with the time of the deployment's clock, which dates everything else, not with that of the machine. */
const idsBy = (clock: Pick<Clock, 'now'>): Ids => ({
  id() {
    const [id, time] = [randomUUIDv7(), clock.now().toString(16).padStart(12, '0')]
    return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`
  },
  secret: (prefix) => `${prefix}${randomBytes(32).toString('base64url')}` as Secret,
  salt: () => randomBytes(32),
  handleOf: (secret) => hash('sha256', secret, 'base64url') as Handle,
})

/** Milliseconds, longer than any delivery may take. */
const patience = 6_000

export async function compose(
  settings: Settings,
  role: ProcessRole = 'command',
  upgrade: UpgradeOptions = {},
): Promise<Deployment> {
  // Before anything is made: a file that is not ours stays as it is, and so does its folder.
  const isThere = usesPostgres(settings) || (await sqliteFileState(settings)) === 'ours'
  const master = loadMasterKey(settings, isThere && wasSealed(settings))
  const previous = previousMasterKeys(settings)
  const vault = openVault(master, previous)
  const given = [master, ...previous].map(({ from }) => from).join(' and ')
  const problem = isThere ? null : newDatabaseProblem(settings, vault)
  if (problem !== null) throw new StartError(problem)
  const issuer = issuerFrom(settings)
  const clientAuthorities = openClientAuthorities(settings)
  const tracing = role === 'server' ? await tracingFrom(settings) : noTracing
  const keptAuthorities = tellKept(openLog(settings), 'outbound.ca')
  const outbound = tracing.port('outbound', outboundFrom(settings, keptAuthorities))
  const auditKey = auditKeySource(settings, vault, given)
  const store = tracing.port('store', await openStore(settings, role, { ...upgrade, auditKey }))
  noteSealed(settings, vault)
  try {
    await checkSigningKeys(store, vault, given)
    const settle =
      role === 'server' ? (at: Instant) => settleSetBack(at, { ids: idsBy({ now: () => at }), store }) : null
    const clock = await openDeploymentClock({ store, settle })
    const ids = idsBy(clock)
    const ports = {
      store,
      vault,
      policy: policyFrom(settings),
      passwords: await passwordPolicyFrom(settings),
      signUpHook: signUpHookFrom(settings),
      people: tracing.port('people', localPeople(store, clock)),
      consentTextVersion,
      limits: limitsFrom(settings),
      limiter: limiterFor(settings, store, { clock, master }),
      outbound,
      ldap: tracing.port('ldap', ldapFrom(settings, keptAuthorities)),
      mail: mailFrom(settings),
      clock,
      ids,
      clientAuthorities,
      issuers: {
        issuerOf: (tenant: TenantId) => issuer.of(tenant),
        mtlsIssuerOf: (tenant: TenantId) => issuer.mtlsOf(tenant),
      },
    }
    const authority = openAuthority(ports, {
      grants: grantsFrom(settings),
      clientAuthMethods: clientAuthMethodsFrom(settings),
    })
    await ensureDefaultTenant(store, authority)
    // Without the device flow the command line client could not be used.
    if (role === 'server' && authority.browser.servesDevices) await ensureCommandLineClient(store, authority)
    const close = async (): Promise<void> => {
      // Outbound requests under way may finish: a receiver that is cut off would count as failed.
      const cut = setTimeout(() => outbound.close(), patience)
      try {
        await authority.close()
      } finally {
        clearTimeout(cut)
      }
      outbound.close()
      await clock.close()
      await store.close()
      await tracing.close()
    }
    const cursorSecret = deriveKey(master, 'cursors')
    const consoleClients = openConsoleClients({ authority, issuer })
    const demoSteps = { current: [] }
    return {
      settings,
      issuer,
      store,
      authority,
      clock,
      vault,
      outbound,
      tracing,
      clientAuthorities,
      consoleClients,
      cursorSecret,
      demoSteps,
      close,
    }
  } catch (cause) {
    await store.close()
    throw cause
  }
}

/** Creates the default tenant, which every deployment has, even where nothing was ever declared. */
async function ensureDefaultTenant(store: Store, authority: Authority): Promise<void> {
  if ((await store.directory.catalogue(defaultTenant)) !== null) return
  const settled = await authority.admin.declared.apply({ kind: 'system', id: null }, {})
  if (settled.kind === 'error') throw notMade('the default tenant', settled.error)
}

/**
 * The key of the event log is random and sealed in the database, so that old seals stay valid under a new master key.
 */
const auditKeySource =
  (settings: Settings, vault: KeyedVault, given: string): AuditKeySource =>
  (sealed) => {
    if (sealed === null) {
      const problem = newDatabaseProblem(settings, vault)
      if (problem !== null) throw new StoreRefused(problem)
      const key = randomBytes(32)
      return { key, sealed: vault.seal(key, auditKeyContext) }
    }
    const key = vault.open(sealed, auditKeyContext)
    if (key === null) throw new StoreRefused(cannotOpen(vault, given, { what: 'the key of the log', sealed }))
    return { key, sealed }
  }

/**
 * Refuses a wrong master key: such a node could sign nothing and, worse, would add keys that other nodes cannot open.
 */
async function checkSigningKeys(store: Store, vault: KeyedVault, given: string): Promise<void> {
  const keys = await store.keys.list(defaultTenant)
  const foreign = keys.find((key) => key.droppedAt === null && !vault.opens(key.sealedPrivate))
  if (foreign === undefined) return
  throw new StartError(cannotOpen(vault, given, { what: `signing key ${foreign.kid}`, sealed: foreign.sealedPrivate }))
}

const cannotOpen = (
  vault: KeyedVault,
  given: string,
  { what, sealed }: { readonly what: string; readonly sealed: Uint8Array },
): string =>
  `the master key from ${given} (id ${vault.keyId}) does not open ${what}, ` +
  `which was sealed under ${vault.keyIdOf(sealed) ?? 'something else'}: give the master key it was sealed with, ` +
  'as GRANTOR_MASTER_KEY, or as GRANTOR_MASTER_KEY_PREVIOUS while it is being replaced'

/**
 * With SQLite, limits are counted in memory. Several nodes share the counts of guesses; quotas of clients are per
 * process.
 */
function limiterFor(
  settings: Settings,
  store: Store,
  { clock, master }: { readonly clock: Clock; readonly master: MasterKey },
): Limiter {
  if (settings.databaseUrl === null) return memoryLimiter(clock, (events) => store.events.append(events))
  const key = deriveKey(master, 'limits')
  return sharedLimiter({ store, clock, digest: (text) => createHmac('sha256', key).update(text).digest('base64url') })
}
