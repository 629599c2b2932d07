/** What of a client and an account may be shown to a person. */
import { isLoopbackHost } from '@grantor/protocol/http'
import type { Person } from '@grantor/protocol/people'
import { type Client, isVouchedFor } from '@grantor/protocol/registration'
import type { DisplayedAccount, DisplayedClient } from './response.ts'
import type { Account } from './visitor.ts'

export function displayedClient(client: Client, redirectUri: string): DisplayedClient {
  const { id, metadata, origin } = client
  return {
    id,
    vouchedBy: isVouchedFor(client) ? 'operator' : origin === 'document' ? 'domain' : 'nobody',
    name: metadata.client_name ?? id,
    // Whoever declared the client vouches for where it lives; one that registered itself has proven nothing.
    // A document is where its address says, and says of itself what it likes.
    provenHost:
      origin === 'dynamic' ? null : webHost(origin === 'document' ? id : (metadata.client_uri ?? redirectUri)),
    policyUri: metadata.policy_uri ?? null,
    termsUri: metadata.tos_uri ?? null,
    colours: { accent: metadata.accent ?? null, background: metadata.background ?? null },
  }
}

function webHost(uri: string): string | null {
  const url = URL.parse(uri)
  // Whoever runs on this computer can have a loopback address: nobody can vouch for it.
  return url?.protocol === 'https:' && !isLoopbackHost(url.hostname) ? url.host : null
}

export const displayedAccount = ({ person }: Account): DisplayedAccount => displayedPerson(person)

export function displayedPerson({ id, username, claims: { name } }: Person): DisplayedAccount {
  return { subject: id, username, name: typeof name === 'string' ? name : username }
}
