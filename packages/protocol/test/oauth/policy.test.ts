/** Lifetimes and rules where nobody says otherwise: numbers that people rely on, in seconds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultPolicy } from '../../src/oauth/policy.ts'
import { unservedFields } from '../../src/registration/client-fields.ts'

test('the lifetimes and rules of a deployment that says nothing are these', () => {
  const { registration, addresses, ...rest } = defaultPolicy
  assert.deepEqual(rest, {
    accessTtl: 600,
    idTokenTtl: 600,
    codeTtl: 60,
    pushedRequestTtl: 60,
    refreshIdleTtl: 2_592_000,
    refreshMaxTtl: 15_552_000,
    refreshRetryWindow: 60,
    deviceTtl: 600,
    deviceInterval: 5,
    backchannelTtl: 600,
    backchannelInterval: 5,
    backchannelWaiting: 5,
    interactionTtl: 600,
    resetTtl: 1800,
    signInLinkTtl: 600,
    addressCheckTtl: 86_400,
    deletionGrace: 1_209_600,
    sessionIdleTtl: 43_200,
    sessionMaxTtl: 2_592_000,
    rememberedBrowserTtl: 2_592_000,
    recentSignIn: 600,
    leeway: 60,
    keyRotation: 7_776_000,
    keyAnnounce: 86_400,
    eventRetention: 34_560_000,
    pkce: 'always',
    requirePushed: false,
    assertionAudience: 'issuer',
    dpopNonce: 'off',
  })
  assert.deepEqual(registration, {
    mode: 'open',
    grants: ['authorization_code', 'refresh_token'],
    scopes: null,
    defaultScope: null,
    defaultResource: null,
    redirects: ['https', 'loopback', 'private-use'],
    mostClients: 10_000,
    unusedLife: 604_800,
    metadataDocuments: true,
    errorRedirects: 'after_consent',
  })
  assert.equal(addresses.outboundAllow.size, 0)
})

test('fields of a client that are registered elsewhere and served by nothing here are known by name', () => {
  assert.deepEqual([...unservedFields].toSorted(), [
    'id_token_encrypted_response_alg',
    'software_statement',
    'userinfo_encrypted_response_alg',
  ])
})
