/** The policy and the limits of the authority from the settings. */
import { type LimitName, type Limits, limits } from '@grantor/authority'
import type { QuotaPolicy } from '@grantor/protocol/http'
import { defaultPolicy, type Policy } from '@grantor/protocol/oauth'
import type { Rate } from './kinds.ts'
import { addressRulesFrom, registrationFrom } from './registration.ts'
import type { Settings } from './settings.ts'

export const policyFrom = (settings: Settings): Policy =>
  Object.freeze({
    ...defaultPolicy,
    accessTtl: settings.accessTokenLife,
    idTokenTtl: settings.idTokenLife,
    codeTtl: settings.codeLife,
    refreshMaxTtl: settings.refreshTokenLife,
    refreshIdleTtl: settings.refreshTokenIdle,
    refreshRetryWindow: settings.refreshTokenRetry,
    pushedRequestTtl: settings.pushedRequestLife,
    interactionTtl: settings.interactionLife,
    sessionMaxTtl: settings.sessionLife,
    sessionIdleTtl: settings.sessionIdle,
    deviceTtl: settings.deviceCodeLife,
    deviceInterval: settings.deviceInterval,
    backchannelTtl: settings.backchannelRequestLife,
    backchannelInterval: settings.backchannelInterval,
    pkce: settings.pkce,
    requirePushed: settings.requirePushed,
    assertionAudience: settings.assertionAudience,
    dpopNonce: settings.dpopNonce,
    leeway: settings.leeway,
    keyRotation: settings.keyRotation,
    keyAnnounce: settings.keyAnnounce,
    eventRetention: settings.eventRetention,
    registration: registrationFrom(settings),
    addresses: addressRulesFrom(settings),
  })

/** Every limit has a setting with its name: `loginAccount` is `limitLoginAccount`. */
export const limitsFrom = (settings: Settings): Limits =>
  Object.fromEntries(
    (Object.keys(limits) as LimitName[]).map((key) => [key, policyOf(limits[key], settings[settingOf(key)])]),
  ) as Record<LimitName, QuotaPolicy | null>

const settingOf = <K extends LimitName>(key: K) =>
  `limit${key.slice(0, 1).toUpperCase()}${key.slice(1)}` as `limit${Capitalize<K>}`

const policyOf = ({ name }: QuotaPolicy, rate: Rate | 'off'): QuotaPolicy | null =>
  rate === 'off' ? null : { name, quota: rate.quota, window: rate.window }
