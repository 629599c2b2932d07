/** The storage contract, as tests. No options, no skips: an implementation passes all of it or is not one. */
import { describe } from 'node:test'
import { administrationSuite } from './administration.ts'
import { atomicitySuite } from './atomicity.ts'
import { apiKeySuite } from './clients/api-keys.ts'
import { assertionSuite } from './clients/assertions.ts'
import { clientSuite } from './clients/clients.ts'
import { reapingSuite } from './clients/reaping.ts'
import { registrationSuite } from './clients/registrations.ts'
import { directorySuite } from './directory/directory.ts'
import { keySuite } from './directory/keys.ts'
import { setBackSuite } from './directory/set-back.ts'
import { eventSuite } from './events.ts'
import { limitSuite } from './limits.ts'
import { listSuite } from './lists.ts'
import { lookupSuite } from './lookups.ts'
import { outgoingListSuite } from './outgoing-lists.ts'
import { neighbourSuite } from './neighbours.ts'
import { deliverySuite } from './outgoing/deliveries.ts'
import { eventDeliverySuite } from './outgoing/event-deliveries.ts'
import { mailSuite } from './outgoing/mails.ts'
import { factorSuite } from './people/factors.ts'
import { identitySuite } from './people/identities.ts'
import { groupSuite } from './people/groups.ts'
import { interactionSuite } from './people/interactions.ts'
import { invitationSuite } from './people/invitations.ts'
import { linkSuite } from './people/links.ts'
import { signInLinkSuite } from './people/sign-in-links.ts'
import { sessionSuite } from './people/sessions.ts'
import { subjectSuite } from './people/subjects.ts'
import { userSuite } from './people/users.ts'
import { raceSuite } from './races.ts'
import { signalPollSuite } from './signal-polls.ts'
import type { OpenEngine } from './store-test.ts'
import { statisticsSuite } from './statistics.ts'
import { sweepSuite } from './sweep.ts'
import { tenantReadSuite } from './tenant-reads.ts'
import { backchannelSuite } from './tokens/backchannel.ts'
import { consentSuite } from './tokens/consents.ts'
import { cutoffSuite } from './tokens/cutoffs.ts'
import { deviceSuite } from './tokens/devices.ts'
import { endedGrantSuite } from './tokens/ended-grants.ts'
import { grantSuite } from './tokens/grants.ts'
import { pushedRequestSuite } from './tokens/pushed-requests.ts'
import { statusListSuite } from './tokens/status-lists.ts'
import { tokenSuite } from './tokens/tokens.ts'
import { validatorSuite } from './validators.ts'

/** Tests share nothing, so they need not wait for each other's disk. */
const atOnce = { concurrency: 4 }

export function storeSuite(open: OpenEngine): void {
  describe('directory', atOnce, () => directorySuite(open))
  describe('clients', atOnce, () => clientSuite(open))
  describe('registrations', atOnce, () => registrationSuite(open))
  describe('API keys', atOnce, () => apiKeySuite(open))
  describe('reaping', atOnce, () => reapingSuite(open))
  describe('assertions', atOnce, () => assertionSuite(open))
  describe('tokens', atOnce, () => tokenSuite(open))
  describe('status lists', atOnce, () => statusListSuite(open))
  describe('cutoffs', atOnce, () => cutoffSuite(open))
  describe('keys', atOnce, () => keySuite(open))
  describe('a clock set back', atOnce, () => setBackSuite(open))
  describe('events', atOnce, () => eventSuite(open))
  describe('lookups', atOnce, () => lookupSuite(open))
  describe('statistics', atOnce, () => statisticsSuite(open))
  describe('validators', atOnce, () => validatorSuite(open))
  describe('grants', atOnce, () => grantSuite(open))
  describe('ended grants', atOnce, () => endedGrantSuite(open))
  describe('devices', atOnce, () => deviceSuite(open))
  describe('requests by the back channel', atOnce, () => backchannelSuite(open))
  describe('pushed requests', atOnce, () => pushedRequestSuite(open))
  describe('consents', atOnce, () => consentSuite(open))
  describe('users', atOnce, () => userSuite(open))
  describe('subjects', atOnce, () => subjectSuite(open))
  describe('administration', atOnce, () => administrationSuite(open))
  describe('groups', atOnce, () => groupSuite(open))
  describe('factors', atOnce, () => factorSuite(open))
  describe('identities', atOnce, () => identitySuite(open))
  describe('sessions', atOnce, () => sessionSuite(open))
  describe('deliveries', atOnce, () => deliverySuite(open))
  describe('event deliveries', atOnce, () => eventDeliverySuite(open))
  describe('polled signals', atOnce, () => signalPollSuite(open))
  describe('interactions', atOnce, () => interactionSuite(open))
  describe('limits', atOnce, () => limitSuite(open))
  describe('lists', atOnce, () => listSuite(open))
  describe('lists of what goes out', atOnce, () => outgoingListSuite(open))
  describe('mails', atOnce, () => mailSuite(open))
  describe('invitations', atOnce, () => invitationSuite(open))
  describe('sign-in links', atOnce, () => signInLinkSuite(open))
  describe('links', atOnce, () => linkSuite(open))
  describe('sweep', atOnce, () => sweepSuite(open))
  describe('neighbours', atOnce, () => neighbourSuite(open))
  describe('reads of a tenant', atOnce, () => tenantReadSuite(open))
  describe('atomicity', atOnce, () => atomicitySuite(open))
  describe('races', atOnce, () => raceSuite(open))
}
