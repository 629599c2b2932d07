/** The validator of a gateway and its relay, shared by readings of the file that agree in the settings concerned. */
import type { ApiMetrics } from '@grantor/api'
import { createValidator, type Validator } from '@grantor/resource'
import type { GatewayConfig } from '../config/referenced-files.ts'
import { openRelay, type Relay } from '../relay/relay.ts'

export interface Trust {
  readonly validator: Validator
  /** The relay of this validator's feed; null where the file does not turn it on. */
  readonly relay: Relay | null
  /** Called by a generation that begins to use it. */
  enter(): void
  /** Called by a generation whose requests have all ended; the last one closes validator and relay. */
  leave(): Promise<void>
}

export interface TrustOptions {
  readonly metrics: ApiMetrics
  notice(text: string): void
}

export function openTrust(config: GatewayConfig, { metrics, notice }: TrustOptions): Trust {
  const { clientCertHeader, issuer, audience, tenants, client, ca, apiKeys, feed, serveStaleFor } = config
  const relay = openRelay(config)
  const read = {
    ...(feed.address === null ? {} : { address: feed.address }),
    ...(relay === null ? {} : { relay: relay.feed }),
  }
  const asked = client === null ? { revocation: 'none' as const } : { credentials: client, apiKeys, feed: read }
  try {
    const validator = createValidator({
      audience,
      issuers: [{ issuer, tenants, ...asked }],
      metrics,
      onTrouble: ({ issuer: whose, message, state }) =>
        notice(`${whose}: ${state === 'over' ? 'over: ' : ''}${message}`),
      ...(ca === null ? {} : { ca }),
      ...(serveStaleFor === null ? {} : { serveStaleFor }),
      ...(clientCertHeader === null ? {} : { clientCertHeader }),
    })
    return shareTrust(validator, relay)
  } catch (error) {
    void relay?.close()
    throw error
  }
}

export function shareTrust(validator: Validator, relay: Relay | null): Trust {
  let users = 0
  return {
    validator,
    relay,
    enter: () => void (users += 1),
    async leave() {
      users -= 1
      if (users > 0) return
      await relay?.close()
      await validator.close()
    },
  }
}

/** Whether both configurations can share a validator. */
export const isSameTrust = (one: GatewayConfig, other: GatewayConfig): boolean =>
  JSON.stringify(trustedBy(one)) === JSON.stringify(trustedBy(other))

const trustedBy = ({
  issuer,
  audience,
  tenants,
  client,
  ca,
  clientCertHeader,
  apiKeys,
  feed,
  serveStaleFor,
}: GatewayConfig) => [feed, serveStaleFor, issuer, audience, tenants, client, ca, clientCertHeader, apiKeys]
