/** The clock, metrics, randomness and network of a validator: those of its options, or the real ones. */
import { fetchTransport, nodeTransport, type Transport } from '../issuer/outbound.ts'
import { type Metrics, noMetrics } from '../metrics.ts'
import { systemTime, type Time } from '../time.ts'
import type { ValidatorOptions } from './validator-options.ts'

/** Dependencies that all issuers of a validator share. */
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
  // Counted from 0, so that the metric exists from the start and can be used in sums.
  metrics.count('rs_token_cache_hits_total', {}, 0)
  return { time, metrics, random, transport }
}
