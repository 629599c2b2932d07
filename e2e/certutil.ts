/** certutil of NSS, as Debian packages it: what `grantor trust` reaches the stores of browsers by. */
import { existsSync } from 'node:fs'
import { ensureDebianProgram } from '../interop/debian.ts'

const program = '/usr/bin/certutil'

/** Null where it is there, or was put there; else why its tests are skipped. */
export const ensureCertutil = (): string | null =>
  ensureDebianProgram({ name: 'certutil', packages: 'libnss3-tools', files: [program] })

/** For a test's `skip`. */
export const withoutCertutil = existsSync(program) ? false : 'certutil (libnss3-tools) is not here'
