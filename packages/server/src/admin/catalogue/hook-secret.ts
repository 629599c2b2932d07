/** The secret that requests to the hook of an API are signed with, as its author puts it into their program. */
import type { ActionPlan } from '@grantor/api'
import type { Authority } from '@grantor/authority'
import { Type } from 'typebox'
import { adminProblem } from '../admin-problem.ts'
import { tenantOf } from '../fields.ts'

/** On a resource that has a hook. It takes the right to change it: whoever knows the secret speaks as this server. */
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
