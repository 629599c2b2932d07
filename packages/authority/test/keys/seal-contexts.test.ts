/** What a secret is sealed for: another tenant's, another object's or another kind's seal opens nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TenantId } from '@grantor/protocol/types'
import { totpContext } from '../../src/factors/codes.ts'
import { sealContext } from '../../src/keys/keyring.ts'
import { providerSecretContext } from '../../src/providers/client-secret.ts'
import { visitContext } from '../../src/providers/departure.ts'
import { returnContext as returnOfLink } from '../../src/sign-in-link/request.ts'
import { returnContext as returnOfInvitation } from '../../src/sign-up/request.ts'
import { webhookSecretContext } from '../../src/webhooks/webhook-delivery.ts'

const ofTenant = (tenant: TenantId): readonly string[] => [
  ...(['a', 'b'] as const).flatMap((id) => [
    totpContext(tenant, id),
    providerSecretContext(tenant, id),
    providerSecretContext(tenant, id, 'sealed_signals_authorization'),
    webhookSecretContext({ tenant, id }),
    returnOfInvitation({ tenant, id }),
    returnOfLink({ tenant, handle: id as never }),
    sealContext({ tenant, kid: id, alg: 'ES256' }),
    sealContext({ tenant, kid: id, alg: 'RS256' }),
  ]),
  visitContext(tenant),
]

test('no two of them are sealed for the same', () => {
  const all = ['one', 'two'].flatMap((tenant) => ofTenant(tenant as TenantId))
  assert.equal(new Set(all).size, all.length, all.toSorted().join('\n'))
})
