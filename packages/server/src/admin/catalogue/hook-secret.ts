/** Shows the secret that signs requests to the hook of an API, for the author of the hook. */
import type { ActionPlan } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { Type } from 'typebox'
import { adminProblem } from '../admin-problem.ts'
import { tenantOf } from '../fields.ts'

/** For a resource with a hook. Needs the write scope, because anybody with the secret can pose as this server. */
export const hookSecret = ({ hooks }: Authority['admin']): ActionPlan<{ readonly id: string }> => ({
  on: 'item',
  scope: 'admin:resources:write',
  summary: 'Show the secret that requests to the hook of this API are signed with (Standard Webhooks)',
  body: Type.Object({}),
  example: {},
  async run(_body: object, context, entry) {
    const found = await hooks.secret(tenantOf(context), entry?.value.id ?? '')
    return found.kind === 'error' ? adminProblem(found.error) : { secret: found.value }
  },
})
