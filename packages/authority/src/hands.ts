/** Everything the endpoints work with: the ports, and the memories built on them. */
import type { Directory } from './directory.ts'
import type { Keyring } from './keys/keyring.ts'
import type { Logos } from './clients/logos.ts'
import type { DevicePollTimes } from './tokens/device-poll-times.ts'
import type { Ports } from './ports/ports.ts'

export interface Hands extends Ports {
  readonly directory: Directory
  readonly keyring: Keyring
  readonly logos: Logos
  readonly devicePollTimes: DevicePollTimes
}
