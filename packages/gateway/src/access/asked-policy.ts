/** Creates the policy service that the file of a gateway names. */
import { createPolicyService, type PolicyService } from '@grantor/resource'
import type { PolicyPlan } from '../config/gateway-plan.ts'

export const policyServiceOf = (
  { url, token, deadline, onFailure, cacheSeconds }: PolicyPlan,
  ca: string | null,
): PolicyService =>
  createPolicyService({
    url,
    deadline,
    onFailure,
    cacheSeconds,
    ...(token === null ? {} : { token }),
    ...(ca === null ? {} : { ca }),
  })
