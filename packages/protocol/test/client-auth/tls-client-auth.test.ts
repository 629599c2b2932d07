/** tls_client_auth and self_signed_tls_client_auth by tables: which certificate is which client's. */
import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { authenticateClient, authenticationFailure, clientAuthRules, recogniseClient } from '../../src/client-auth.ts'
import { usableKeys } from '../../src/jose.ts'
import { certificatePath } from '../../src/mtls.ts'
import { formOf } from '../../src/oauth.ts'
import type { Client, ClientMetadata } from '../../src/registration.ts'
import type { Handle, Instant, TenantId } from '../../src/types.ts'
import { make, type MadeCertificate, now } from '../mtls/certificates.ts'

const clientWith = (metadata: Partial<ClientMetadata>, change: Partial<Client> = {}): Client => ({
  tenant: 'default' as TenantId,
  id: 'tpp',
  metadata: {
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
    scope: '',
    token_endpoint_auth_method: 'tls_client_auth',
    ...metadata,
  },
  secrets: [],
  origin: 'manual',
  createdAt: 0 as Instant,
  updatedAt: 0 as Instant,
  disabledAt: null,
  version: 1,
  ...change,
})

describe('certificates of clients', () => {
  let root: MadeCertificate
  let good: MadeCertificate
  before(async () => {
    root = await make({ by: null, subject: [{ CN: ['root'] }], authority: {} })
    good = await make({ by: root, subject: [{ O: ['Bank'] }, { CN: ['tpp'] }], names })
  })
  const names = [
    { type: 'dns', value: 'tpp.example' },
    { type: 'url', value: 'urn:example:tpp' },
    { type: 'ip', value: '192.0.2.9' },
    { type: 'email', value: 'tpp@bank.example' },
  ] as const

  const presented = (
    form: Readonly<Record<string, string>> = { client_id: 'tpp' },
    authorization: string | null = null,
  ) =>
    recogniseClient(
      clientAuthRules,
      { form: formOf(Object.entries(form)), authorization, clientCertificate: null },
      (secret) => secret as Handle,
    )

  /** Null where the client is authenticated, else why not. */
  const why = (client: Client | null, shown: MadeCertificate | null, at = now): string | null => {
    const recognised = presented()
    assert.ok(recognised.kind === 'ok')
    const input = {
      presented: recognised.value,
      client,
      now: at as Instant,
      shown:
        shown === null
          ? null
          : {
              certificate: shown.facts,
              path: certificatePath({
                certificate: shown.facts,
                sentAlong: [],
                trusted: [root.facts],
                now: now as Instant,
              }),
              keys: usableKeys(client?.metadata.jwks),
            },
    }
    const authenticated = authenticateClient(clientAuthRules, input)
    if (authenticated.kind === 'ok') return null
    // RFC 6749 §5.2: one answer for all of them.
    assert.deepEqual(authenticated.error, { reason: 'client_unauthenticated', challenge: false })
    return authenticationFailure(input).reason
  }

  const named: readonly [string, Partial<ClientMetadata>][] = [
    ['the subject', { tls_client_auth_subject_dn: 'CN=tpp,O=Bank' }],
    ['a host name', { tls_client_auth_san_dns: 'TPP.example' }],
    ['a URI', { tls_client_auth_san_uri: 'urn:example:tpp' }],
    ['an address', { tls_client_auth_san_ip: '192.0.2.9' }],
    ['a mail address', { tls_client_auth_san_email: 'tpp@BANK.example' }],
  ]
  for (const [what, metadata] of named)
    test(`RFC 8705 §2.1.2: a client is known by ${what}`, () => assert.equal(why(clientWith(metadata), good), null))

  const misnamed: readonly [string, Partial<ClientMetadata>, string][] = [
    ['another subject', { tls_client_auth_subject_dn: 'CN=other,O=Bank' }, 'certificate_subject'],
    ['its own name in another order', { tls_client_auth_subject_dn: 'O=Bank,CN=tpp' }, 'certificate_subject'],
    ['a host name that is the URI', { tls_client_auth_san_dns: 'urn.example' }, 'certificate_san_dns'],
    ['a URI that is the host name', { tls_client_auth_san_uri: 'urn:tpp.example' }, 'certificate_san_uri'],
    ['the common name as a host name', { tls_client_auth_san_dns: 'tpp' }, 'certificate_san_dns'],
    ['another address', { tls_client_auth_san_ip: '192.0.2.90' }, 'certificate_san_ip'],
    ['another mail address', { tls_client_auth_san_email: 'Tpp@bank.example' }, 'certificate_san_email'],
    ['no name at all', {}, 'certificate_subject'],
  ]
  for (const [what, metadata, reason] of misnamed)
    test(`RFC 8705 §2.1: ${what} is refused, and the log says ${reason}`, () =>
      assert.equal(why(clientWith(metadata), good), reason))

  const client = clientWith({ tls_client_auth_san_dns: 'tpp.example' })
  const dns = [{ type: 'dns', value: 'tpp.example' }] as const

  test('RFC 8705 §2.1: expired, not yet valid, of another root, signed by itself, for servers, or none', async () => {
    const other = await make({ by: null, subject: [{ CN: ['root'] }], authority: {} })
    assert.equal(why(client, await make({ by: root, names: dns, days: [-3, -2] })), 'certificate_expired')
    assert.equal(why(client, await make({ by: root, names: dns, days: [1, 2] })), 'certificate_not_yet_valid')
    assert.equal(why(client, await make({ by: other, names: dns })), 'certificate_issuer')
    assert.equal(why(client, await make({ by: null, names: dns })), 'certificate_issuer')
    const forServers = await make({ by: root, names: dns, purposes: ['1.3.6.1.5.5.7.3.1'] })
    assert.equal(why(client, forServers), 'certificate_usage')
    assert.equal(why(client, null), 'certificate_missing')
  })

  test('an authority that has expired vouches for nobody', () => {
    assert.equal(why(client, good, now + 90_000_000), 'certificate_expired')
  })

  test('unknown, disabled, and known for something else: the same answer', () => {
    assert.equal(why(null, good), 'client_unknown')
    assert.equal(why({ ...client, disabledAt: 1 as Instant }, good), 'client_disabled')
    assert.equal(why(clientWith({ token_endpoint_auth_method: 'client_secret_basic' }), good), 'sent_none')
  })

  test('RFC 8705 §2: a good certificate proves nobody where its method is not served, and the log says so', () => {
    const path = certificatePath({ certificate: good.facts, sentAlong: [], trusted: [root.facts], now: now as Instant })
    const shown = { certificate: good.facts, path, keys: [] }
    const recognised = presented()
    assert.ok(recognised.kind === 'ok')
    const input = { presented: recognised.value, client, now: now as Instant, shown }
    const served = clientAuthRules.filter(({ method }) => method !== 'tls_client_auth')
    assert.equal(authenticateClient(served, input).kind, 'error')
    assert.deepEqual(authenticationFailure(input), { clientId: 'tpp', reason: 'certificate_unserved' })
  })

  test('RFC 8705 §4: a public client that shows a certificate stays public', () => {
    assert.equal(why(clientWith({ token_endpoint_auth_method: 'none' }), good), null)
    assert.equal(why(clientWith({ token_endpoint_auth_method: 'none' }), null), null)
  })

  test('RFC 6749 §2.3: a secret beside the certificate is another method', () => {
    const both = presented({ client_id: 'tpp', client_secret: 'x' })
    assert.ok(both.kind === 'ok')
    const shown = {
      certificate: good.facts,
      path: certificatePath({ certificate: good.facts, sentAlong: [], trusted: [root.facts], now: now as Instant }),
      keys: [],
    }
    const input = { presented: both.value, client, now: now as Instant, shown }
    assert.equal(authenticateClient(clientAuthRules, input).kind, 'error')
  })

  test('RFC 8705 §2.2: a self-signed certificate is known by its key, and by nothing else', async () => {
    const own = await make({ by: null })
    const again = await make({ by: null, keys: own.keys, subject: [{ CN: ['renewed'] }] })
    const stranger = await make({ by: null })
    const jwk = new X509Certificate(own.facts.der).publicKey.export({ format: 'jwk' })
    const x5c = [Buffer.from(stranger.facts.der).toString('base64')]
    const registered = clientWith({
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      // What is said of a certificate beside the key does not count: the key does.
      jwks: { keys: [{ ...jwk, x5c }] } as unknown as NonNullable<ClientMetadata['jwks']>,
    })
    assert.equal(why(registered, own), null)
    assert.equal(why(registered, again), null)
    assert.equal(why(registered, stranger), 'certificate_key')
    assert.equal(why(registered, good), 'certificate_key')
    assert.equal(why(registered, null), 'certificate_missing')
    const old = await make({ by: null, keys: own.keys, days: [-3, -2] })
    assert.equal(why(registered, old), 'certificate_expired')
    const early = await make({ by: null, keys: own.keys, days: [2, 3] })
    assert.equal(why(registered, early), 'certificate_not_yet_valid')
    assert.equal(
      why({ ...registered, metadata: { ...registered.metadata, jwks: { keys: [] } } }, own),
      'certificate_key',
    )
  })
})
