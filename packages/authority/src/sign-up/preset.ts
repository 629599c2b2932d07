/** The roles, groups and claims that an account starts with, as its invitation stores them. */
import { isJsonObject, type JsonObject } from '@grantor/protocol/types'

export const presetClaims = (preset: JsonObject): JsonObject => (isJsonObject(preset['claims']) ? preset['claims'] : {})

export interface PresetHoldings {
  readonly roles: readonly string[]
  readonly groupIds: readonly string[]
}

export const presetHoldings = (preset: JsonObject): PresetHoldings => ({
  roles: textsIn(preset['roles']),
  groupIds: textsIn(preset['groups']),
})

const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((it) => typeof it === 'string') : []
