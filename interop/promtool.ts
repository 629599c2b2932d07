/** promtool, which checks and tests alert rules, as Debian packages it with Prometheus: brought where that is possible. */
import { ensureDebianProgram } from './debian.ts'

export const promtool = '/usr/bin/promtool'

/** Null where it is there, or was put there; else why its tests are skipped. */
export const ensurePromtool = (): string | null =>
  ensureDebianProgram({ name: 'promtool', packages: 'prometheus', files: [promtool] })
