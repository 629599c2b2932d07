/** The background loops of the authority: they ignore an outage and try again, because the endpoints report it. */
import { type BackgroundLoop, type LoopTimes, openBackgroundLoop } from '@grantor/store'
import { ignoreOutage } from '../outage.ts'

export const openLoop = (work: () => Promise<void>, times: LoopTimes): BackgroundLoop =>
  openBackgroundLoop(work, times, ignoreOutage)
