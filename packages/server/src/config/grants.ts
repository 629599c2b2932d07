/** The grants that the settings leave: everything else (metadata, registration, the admin API) follows from the list. */
import { type AnyGrantRule, deviceGrant, grantRules } from '@grantor/protocol/grants'
import type { Settings } from './settings.ts'

export const grantsFrom = ({ deviceFlow }: Pick<Settings, 'deviceFlow'>): readonly AnyGrantRule[] =>
  deviceFlow === 'on' ? grantRules : grantRules.filter(({ type }) => type !== deviceGrant)
