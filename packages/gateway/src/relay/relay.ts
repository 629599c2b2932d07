/** The relay of a gateway: serves the feed of its validator, and decides who may read it. */
import { feedScope } from '@grantor/protocol/feed'
import { createValidator, FeedRelay, type Validator } from '@grantor/resource'
import { memoryQuotas } from '@grantor/api'
import { type Access, createAccess } from '../access/access.ts'
import type { GatewayConfig } from '../config/referenced-files.ts'
import { type OpenExchanges, watchExchanges } from '../proxy/open-exchanges.ts'
import type { Route, RouteTable } from '../routing/routes.ts'

export interface Relay {
  readonly feed: FeedRelay
  /** The same rule as at the issuer: a token for the issuer itself, with the scope of the feed. */
  readonly access: Access
  readonly route: Route
  /** The open streams: each ends with its token. */
  readonly streams: OpenExchanges
  close(): Promise<void>
}

const noRoutes: RouteTable = { find: () => null }

/** Null where the file does not turn the relay on. */
export function openRelay(config: GatewayConfig): Relay | null {
  if (!config.feed.relay) return null
  const { issuer, ca } = config
  const feed = new FeedRelay()
  const validator: Validator = createValidator({
    audience: issuer,
    // This validator learns of revocations from the feed that it relays.
    issuers: [{ issuer, revocation: feed, statusLists: false, reports: false }],
    // Faults of the issuer are reported by the validator of the API.
    onTrouble: () => {},
    ...(ca === null ? {} : { ca }),
  })
  const streams = watchExchanges(() => validator, Date.now)
  return {
    feed,
    access: createAccess({
      validator,
      audience: issuer,
      name: config.name,
      insufficientScopeStatus: 403,
      quota: null,
      quotas: memoryQuotas(),
      table: noRoutes,
      policy: null,
    }),
    route: { path: '/revocations', kind: 'prefix', methods: null, need: [[feedScope]] },
    streams,
    async close() {
      streams.cutStreams()
      streams.stop()
      await validator.close()
    },
  }
}
