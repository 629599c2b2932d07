/** Reads the policy service in the file of a gateway. */
import type { Fields } from './fields.ts'
import type { PolicyPlan } from './gateway-plan.ts'
import { readAddress } from './read-addresses.ts'

const noEndpoint = 'must be its evaluation endpoint, as https://pdp.example/access/v1/evaluation'

export function readPolicy(file: Fields): PolicyPlan | null {
  const fields = file.object('policy')
  if (fields === null) return null
  const plan = {
    url: readAddress(fields, 'url', ({ pathname }) => (pathname === '/' ? noEndpoint : null)),
    token: fields.text('token'),
    tokenFile: fields.text('token_file'),
    deadline: fields.count('deadline_ms', 1000, 60_000),
    onFailure: fields.choice('on_failure', ['deny', 'allow'], 'deny'),
    cacheSeconds: fields.has('cache_seconds') ? fields.count('cache_seconds', 1, 3600) : 0,
  } as const
  if (plan.token !== null && plan.tokenFile !== null) fields.refuse('token', 'stands beside token_file: keep one')
  fields.end()
  return plan
}
