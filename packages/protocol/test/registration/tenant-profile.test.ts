/** The profiles that a tenant can have. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTenantProfile, tenantProfiles } from '../../src/registration/tenant-profile.ts'

test('these, and no profile of a client alone', () => {
  assert.deepEqual(tenantProfiles, ['fapi2-security', 'fapi2-message-signing'])
  assert.deepEqual(['fapi2-security', 'fapi2-message-signing', 'fapi-ciba', null].map(isTenantProfile), [
    true,
    true,
    false,
    false,
  ])
})
