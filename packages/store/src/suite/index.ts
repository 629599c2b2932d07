/** The storage contract, as tests. No options, no skips: an implementation passes all of it or is not one. */
import { describe } from 'node:test'
import { assertionSuite } from './assertions.ts'
import { atomicitySuite } from './atomicity.ts'
import { clientSuite } from './clients.ts'
import { consentSuite } from './consents.ts'
import { deliverySuite } from './deliveries.ts'
import { deviceSuite } from './devices.ts'
import { directorySuite } from './directory.ts'
import { eventSuite } from './events.ts'
import { factorSuite } from './factors.ts'
import { grantSuite } from './grants.ts'
import { interactionSuite } from './interactions.ts'
import { keySuite } from './keys.ts'
import { limitSuite } from './limits.ts'
import { linkSuite } from './links.ts'
import { mailSuite } from './mails.ts'
import type { Open } from './opened.ts'
import { raceSuite } from './races.ts'
import { reapingSuite } from './reaping.ts'
import { registrationSuite } from './registrations.ts'
import { sessionSuite } from './sessions.ts'
import { sweepSuite } from './sweep.ts'
import { tokenSuite } from './tokens.ts'
import { userSuite } from './users.ts'

/** Tests share nothing, so they need not wait for each other's disk. */
const atOnce = { concurrency: 4 }

export function storeSuite(open: Open): void {
  describe('directory', atOnce, () => directorySuite(open))
  describe('clients', atOnce, () => clientSuite(open))
  describe('registrations', atOnce, () => registrationSuite(open))
  describe('reaping', atOnce, () => reapingSuite(open))
  describe('assertions', atOnce, () => assertionSuite(open))
  describe('tokens', atOnce, () => tokenSuite(open))
  describe('keys', atOnce, () => keySuite(open))
  describe('events', atOnce, () => eventSuite(open))
  describe('grants', atOnce, () => grantSuite(open))
  describe('devices', atOnce, () => deviceSuite(open))
  describe('consents', atOnce, () => consentSuite(open))
  describe('users', atOnce, () => userSuite(open))
  describe('factors', atOnce, () => factorSuite(open))
  describe('sessions', atOnce, () => sessionSuite(open))
  describe('deliveries', atOnce, () => deliverySuite(open))
  describe('interactions', atOnce, () => interactionSuite(open))
  describe('limits', atOnce, () => limitSuite(open))
  describe('mails', atOnce, () => mailSuite(open))
  describe('links', atOnce, () => linkSuite(open))
  describe('sweep', atOnce, () => sweepSuite(open))
  describe('atomicity', atOnce, () => atomicitySuite(open))
  describe('races', atOnce, () => raceSuite(open))
}
