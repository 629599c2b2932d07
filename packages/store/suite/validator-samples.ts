/** Validators as they are written down. */
import type { ValidatorNote } from '../src/contract/validators.ts'
import { acme, at } from './samples.ts'

/** `heard`: positions and when, the newest first. */
export const validatorNote = (id: string, heard: readonly (readonly [number, number])[]): ValidatorNote => ({
  tenant: acme,
  clientId: 'api',
  id,
  epoch: 'e',
  heard: heard.map(([pos, when]) => ({ pos, at: at(when) })),
  closesAfter: 45_000,
  connections: 1,
  seenAt: at(0),
})
