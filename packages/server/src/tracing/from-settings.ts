/** Opens tracing as configured. */
import type { Settings } from '../config/settings.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** The libraries are loaded only where tracing is on, so that they do not delay other starts. */
export async function tracingFrom({ tracingEndpoint, tracingPercent }: Settings): Promise<Tracing> {
  if (tracingEndpoint === null) return noTracing
  const { openTracing } = await import('./open-tracing.ts')
  return openTracing({ endpoint: tracingEndpoint, share: tracingPercent / 100 })
}
