/** A person as shown to an operator: claims by their OIDC names, never a password. */
import type { JsonObject, Person } from '@grantor/protocol'
import { timestamp, timestampOrNull } from '../output/time.ts'

export const personDocument = ({ id, tenant, username, claims, createdAt, disabledAt }: Person): JsonObject => ({
  sub: id,
  tenant,
  username,
  ...claims,
  created_at: timestamp(createdAt),
  disabled_at: timestampOrNull(disabledAt),
})
