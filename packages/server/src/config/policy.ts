/** The policy and the limits of the authority, out of the settings. */
import { type Limits, limits } from '@grantor/authority'
import type { QuotaPolicy } from '@grantor/protocol/http'
import { defaultPolicy, type Policy } from '@grantor/protocol/oauth'
import type { Rate } from './kinds.ts'
import { addressRulesFrom, registrationFrom } from './registration.ts'
import type { Settings } from './settings.ts'

export const policyFrom = (settings: Settings): Policy =>
  Object.freeze({
    ...defaultPolicy,
    accessTtl: settings.accessTokenLife,
    deviceTtl: settings.deviceCodeLife,
    deviceInterval: settings.deviceInterval,
    pkce: settings.pkce,
    assertionAudience: settings.assertionAudience,
    leeway: settings.leeway,
    keyRotation: settings.keyRotation,
    keyAnnounce: settings.keyAnnounce,
    eventRetention: settings.eventRetention,
    registration: registrationFrom(settings),
    addresses: addressRulesFrom(settings),
  })

export function limitsFrom(settings: Settings): Limits {
  const policy = ({ name }: QuotaPolicy, rate: Rate | 'off'): QuotaPolicy | null =>
    rate === 'off' ? null : { name, quota: rate.quota, window: rate.window }
  return {
    token: policy(limits.token, settings.limitToken),
    tokenFailures: policy(limits.tokenFailures, settings.limitTokenFailures),
    loginAccount: policy(limits.loginAccount, settings.limitLoginAccount),
    loginAddress: policy(limits.loginAddress, settings.limitLoginAddress),
    secondFactor: policy(limits.secondFactor, settings.limitSecondFactor),
    registration: policy(limits.registration, settings.limitRegistration),
    registrationUpdates: policy(limits.registrationUpdates, settings.limitRegistrationUpdates),
    clientDocuments: policy(limits.clientDocuments, settings.limitClientDocuments),
    authorize: policy(limits.authorize, settings.limitAuthorize),
    deviceRequests: policy(limits.deviceRequests, settings.limitDeviceRequests),
    device: policy(limits.device, settings.limitDevice),
    deviceTenant: policy(limits.deviceTenant, settings.limitDeviceTenant),
    resetAccount: policy(limits.resetAccount, settings.limitResetAccount),
    resetAddress: policy(limits.resetAddress, settings.limitResetAddress),
  }
}
