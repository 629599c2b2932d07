/** Published entry: requests, answers and refusals without a framework, for adapters and for what is built on top. */
export * from './http/request.ts'
export * from './http/response.ts'
export { policyProblem, routeQuestion } from './policy/route-policy.ts'
export * from './protect/challenge.ts'
export * from './protect/cors.ts'
export * from './protect/problem-page.ts'
export * from './protect/resource-metadata.ts'
export * from './protect/scope-need.ts'
