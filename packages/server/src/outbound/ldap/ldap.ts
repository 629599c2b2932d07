/** Checks passwords at LDAP directories, at checked addresses only; tries the next server where one is away. */
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Ldap, LdapAnswer, LdapQuestion } from '@grantor/authority'
import { certificatesIn, type LdapHost, parseLdapHost } from '@grantor/protocol/providers'
import { type AllowList, hostKind } from '@grantor/protocol/uri'
import { addressesOf } from '../addresses.ts'
import { createConcurrencyLimit } from '../concurrency.ts'
import type { Resolve } from '../resolve.ts'
import { askLdap } from './ask.ts'
import { connectLdap } from './secure-connection.ts'

export interface LdapOptions {
  readonly allow: AllowList
  /** Resolves names that are not on the list. */
  readonly resolve: Resolve
  roots(): SecureContext
  now(): number
  /** Milliseconds for all servers together. */
  readonly deadline?: number
}

/** The outcome at one server; of its URL only the host. */
export interface LdapAttempt {
  readonly host: string
  readonly outcome: string
}

export interface ServerLdap extends Ldap {
  /** Calls `watcher` for every server tried from now on. */
  watch(watcher: (attempt: LdapAttempt) => void): void
}

const concurrencyBounds = { inAll: 64, perHost: 16, waiting: 512 }
/** Milliseconds for which a server that was away is tried last. */
const restTime = 30_000

export function openLdap(options: LdapOptions): ServerLdap {
  const { deadline = 5_000, now } = options
  const concurrency = createConcurrencyLimit(concurrencyBounds)
  const awaySince = new Map<string, number>()
  let watcher = (_attempt: LdapAttempt): void => {}

  /** The hosts in their order, except that those recently away come last. */
  function inTurn(hosts: readonly string[]): readonly string[] {
    const rests = (it: string): boolean => now() - (awaySince.get(it) ?? -Infinity) < restTime
    return [...hosts.filter((it) => !rests(it)), ...hosts.filter(rests)]
  }

  async function askOne(question: LdapQuestion, host: LdapHost, signal: AbortSignal): Promise<LdapAnswer> {
    const away = (problem: string): LdapAnswer => ({ did: 'unavailable', problem })
    if (!host.allowed && hostKind(host.host) !== 'public') return away('ldap_address')
    const done = await concurrency.acquire({ host: host.host, ofStranger: false }, signal)
    if (done === null) return away('ldap_time')
    try {
      const addresses = await addressesOf(host, options.resolve, signal)
      if (addresses.kind === 'error') return away(`ldap_${addresses.error}`)
      const roots = question.ca === null ? options.roots() : rootsOf(question.ca)
      const socket = await connectLdap({ host, addresses: addresses.value, roots, signal })
      const end = () => socket.destroy()
      signal.addEventListener('abort', end)
      try {
        return await askLdap(question, socket)
      } finally {
        signal.removeEventListener('abort', end)
        socket.destroy()
      }
    } catch (cause) {
      return away(signal.aborted ? 'ldap_time' : problemOf(cause))
    } finally {
      done()
    }
  }

  return {
    async authenticate(question) {
      const until = now() + deadline
      const hosts = inTurn(question.hosts)
      let last: LdapAnswer = { did: 'unavailable', problem: 'ldap_unreachable' }
      for (const [at, address] of hosts.entries()) {
        const host = parseLdapHost(address, options.allow)
        if (host === null) continue
        // Each server gets a share of the remaining time, so that a silent one does not use up that of the next.
        const signal = AbortSignal.timeout(Math.max(1, Math.ceil((until - now()) / (hosts.length - at))))
        last = await askOne(question, host, signal)
        watcher({ host: host.host, outcome: 'problem' in last ? last.problem : 'ok' })
        if (last.did !== 'unavailable') {
          awaySince.delete(address)
          return last
        }
        awaySince.set(address, now())
        // Wrong credentials of our own account: another server would answer the same, and the account might get locked.
        if (last.problem === 'ldap_service_bind_49') return last
      }
      return last
    },

    watch(next) {
      watcher = next
    },
  }
}

/** Only these authorities: those named for a directory replace the system's. */
const rootsOf = (pem: string): SecureContext =>
  createSecureContext({ minVersion: 'TLSv1.2', ca: [...certificatesIn(pem)] })

/** For the operator; TLS error codes are useful and contain no personal data. */
function problemOf(cause: unknown): string {
  const { code } = cause as NodeJS.ErrnoException
  const isTls =
    typeof code === 'string' && /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|EPROTO)/.test(code)
  return isTls ? `ldap_tls_${code.toLowerCase()}` : 'ldap_unreachable'
}
