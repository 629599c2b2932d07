/** Traces as the settings want them. */
import type { Settings } from '../config/settings.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** The libraries are loaded where traces are wanted only: starting is felt by people. */
export async function tracingFrom({ tracingEndpoint, tracingPercent }: Settings): Promise<Tracing> {
  if (tracingEndpoint === null) return noTracing
  const { openTracing } = await import('./open-tracing.ts')
  return openTracing({ endpoint: tracingEndpoint, share: tracingPercent / 100 })
}
