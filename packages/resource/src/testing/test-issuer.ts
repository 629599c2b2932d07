/** An issuer inside the process, for tests of an API: real ES256 tokens, real checks, no network. */
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import type { Instant, JsonObject } from '@grantor/protocol/types'
import { GivenKeys } from '../issuer/given-keys.ts'
import { RevocationView } from '../revocation/revocation-view.ts'
import { systemTime, type Time } from '../time.ts'
import type { IssuerOptions } from '../validate/validator-options.ts'

/** The claims of a minted token. Members left out have defaults. */
export interface TestIdentity {
  readonly sub?: string
  readonly clientId?: string
  readonly scope?: string | readonly string[]
  readonly tenant?: string | null
  readonly audience?: string
  /** Seconds; negative for a token that has expired. */
  readonly expiresIn?: number
  /** Further claims, or other values for those above. */
  readonly claims?: JsonObject
}

export interface TestIssuerOptions {
  readonly audience: string
  readonly issuer?: string
  readonly time?: Pick<Time, 'now' | 'monotonic'>
}

export interface TestIssuer {
  readonly issuer: string
  /** For `issuers` of a validator: trusts this issuer and its tenants. */
  readonly trust: IssuerOptions
  mint(identity?: TestIdentity): string
  /** From now on the token is refused, as after a revocation that arrived by the feed. */
  revoke(token: string): void
}

export function createTestIssuer({
  audience,
  issuer = 'https://issuer.test',
  time = systemTime,
}: TestIssuerOptions): TestIssuer {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = 'dev'
  const keys = new GivenKeys({
    keys: [{ ...(publicKey.export({ format: 'jwk' }) as JsonObject), kid, alg: 'ES256', use: 'sig' }],
  })
  const view = new RevocationView({ leeway: 60_000, capacity: 100_000, now: () => time.now() })
  const header = encode({ typ: 'at+jwt', alg: 'ES256', kid })
  return {
    issuer,
    trust: {
      issuer,
      tenants: true,
      keys,
      revocation: {
        isRevoked: (token) => view.isRevoked(token),
        revision: () => view.revision,
        freshness: () => 'live',
        age: () => 0,
      },
    },
    mint(identity = {}) {
      const signed = `${header}.${encode(claimsOf(identity, { audience, issuer, now: time.now() }))}`
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      return `${signed}.${signature.toString('base64url')}`
    },
    revoke(token) {
      const {
        jti,
        exp,
        tenant = null,
      } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as {
        readonly jti: string
        readonly exp: number
        readonly tenant?: string
      }
      const until = (exp * 1000) as Instant
      view.apply({ kind: 'revoke', tenant, jti, at: time.now(), until }, time.monotonic())
    },
  }
}

function claimsOf(who: TestIdentity, at: { audience: string; issuer: string; now: number }): JsonObject {
  const { sub = 'dev-user', clientId = 'dev-client', scope = '', tenant = null, expiresIn = 600 } = who
  const now = Math.floor(at.now / 1000)
  return {
    iss: tenant === null ? at.issuer : `${at.issuer}/t/${tenant}`,
    sub,
    aud: who.audience ?? at.audience,
    client_id: clientId,
    scope: typeof scope === 'string' ? scope : scope.join(' '),
    iat: Math.min(now, now + expiresIn),
    exp: now + expiresIn,
    jti: randomUUID(),
    ...(tenant === null ? {} : { tenant }),
    ...who.claims,
  }
}

const encode = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url')
