/** What a person may be shown of a client and of an account. */
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
    // For a client that was declared, its operator vouches for the host; one that registered itself has proven none.
    // The host of a metadata document is proven by the client id, but the document may claim anything about itself.
    provenHost:
      origin === 'dynamic' ? null : webHost(origin === 'document' ? id : (metadata.client_uri ?? redirectUri)),
    policyUri: metadata.policy_uri ?? null,
    termsUri: metadata.tos_uri ?? null,
    colours: { accent: metadata.accent ?? null, background: metadata.background ?? null },
  }
}

function webHost(uri: string): string | null {
  const url = URL.parse(uri)
  // A loopback address proves nothing: any program on the person's computer can have it.
  return url?.protocol === 'https:' && !isLoopbackHost(url.hostname) ? url.host : null
}

export const displayedAccount = ({ person }: Account): DisplayedAccount => displayedPerson(person)

export function displayedPerson({ id, username, claims: { name } }: Person): DisplayedAccount {
  return { subject: id, username, name: typeof name === 'string' ? name : username }
}
