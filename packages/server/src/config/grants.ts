/** The grants that the settings allow; metadata, registration and the admin API follow from the list. */
import { type AnyGrantRule, cibaGrant, deviceGrant, grantRules } from '@grantor/protocol/grants'
import type { Settings } from './settings.ts'

export function grantsFrom({
  deviceFlow,
  backchannelFlow,
}: Pick<Settings, 'deviceFlow' | 'backchannelFlow'>): readonly AnyGrantRule[] {
  const flows = new Map([
    [deviceGrant, deviceFlow],
    [cibaGrant, backchannelFlow],
  ])
  return grantRules.filter(({ type }) => flows.get(type) !== 'off')
}
