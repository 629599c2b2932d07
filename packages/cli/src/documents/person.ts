/** A person as shown to an operator: claims by their OIDC names, never a password. */
import type { Person } from '@grantor/protocol/people'
import type { JsonObject } from '@grantor/protocol/types'
import { timestamp, timestampOrNull } from '../output/time.ts'

export const personDocument = ({
  id,
  tenant,
  username,
  claims,
  administrator,
  createdAt,
  disabledAt,
}: Person): JsonObject => ({
  sub: id,
  tenant,
  username,
  ...claims,
  administrator,
  created_at: timestamp(createdAt),
  disabled_at: timestampOrNull(disabledAt),
})
