/** Where devices are not served, nothing is looked up or counted for whoever asks; and who asks too often is told so. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDeviceAuthorization } from '../../src/device/device-authorization.ts'

const request = { tenant: 'acme', ip: '192.0.2.9', form: {}, userAgent: null } as never
const device = 'urn:ietf:params:oauth:grant-type:device_code'

test('RFC 8628 §3.1: an endpoint of a grant that is not served is not there', async () => {
  const untouched = () => assert.fail('nothing is to be asked')
  const deps = {
    served: { grantTypes: ['authorization_code'] },
    limits: { takeByAddress: untouched },
    serveClient: untouched,
  }
  const answer = await openDeviceAuthorization(deps as never)(request)
  assert.deepEqual(answer, { kind: 'error', error: { reason: 'not_found' } })
})

test('RFC 8628 §5.2: requests are counted by address before anybody is asked who they are', async () => {
  const counted: unknown[] = []
  const refusal = {
    allowed: false,
    policy: { name: 'device-requests', quota: 1, window: 60 },
    wait: 5000,
    remaining: 0,
  }
  const limits = { takeByAddress: async (...of: unknown[]) => (counted.push(of), refusal) }
  const deps = { served: { grantTypes: [device] }, limits, serveClient: () => assert.fail('nobody is asked') }
  const answer = await openDeviceAuthorization(deps as never)(request)
  assert.equal(answer.kind === 'error' && answer.error.reason, 'limit_reached')
  assert.deepEqual(counted, [['deviceRequests', '192.0.2.9']])
})
