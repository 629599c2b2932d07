/** The clock, the measures, the chance and the network of a validator: given, or the real ones. */
import { fetchTransport, nodeTransport, type Transport } from '../issuer/outbound.ts'
import { type Metrics, noMetrics } from '../metrics.ts'
import { systemTime, type Time } from '../time.ts'
import type { ValidatorOptions } from './validator-options.ts'

/** What all issuers of a validator share. */
export interface ValidatorDependencies {
  readonly time: Time
  readonly metrics: Metrics
  readonly random: () => number
  readonly transport: Transport
}

export function validatorDependencies(options: ValidatorOptions): ValidatorDependencies {
  const time = options.time ?? systemTime
  const transport = options.fetch === undefined ? nodeTransport(options.ca) : fetchTransport(options.fetch)
  const random = options.random ?? Math.random
  const metrics = options.metrics ?? noMetrics
  // Told from the beginning: a sum with a count that is not there yet is none.
  metrics.count('rs_token_cache_hits_total', {}, 0)
  return { time, metrics, random, transport }
}
