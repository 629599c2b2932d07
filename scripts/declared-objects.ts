/** docs/declared-objects.md: what a declared file may hold, with the fields of clients from their one table. */
import { clientFieldNames, clientFields } from '@grantor/protocol/registration'
import { personClaims } from '@grantor/protocol/oidc'

const sections = `# Declared objects

A file declares what a deployment holds: APIs, scopes, roles, groups, people, clients, tenants. \`grantor plan objects.yaml\` shows what would change, \`grantor apply objects.yaml\` makes it so, everything or nothing, \`grantor export\` writes what is there as such a file, and \`GRANTOR_SEED\` names one that is applied at every start. YAML and JSON are the same to all of them.

<!-- Written by \`npm run docs\` from scripts/declared-objects.ts and packages/protocol/src/registration/client-fields.ts: edit those, not this page. -->

A file adds and changes. It removes only with \`--prune\`, and then what a section of the file does not name; never people, and of clients and webhooks only those that a file declared ([why](decisions/0007-files-remove-only-when-asked.md)). A section that is left out says nothing. A field that is not known here is an error that names it and its place. A file has at most 16 MiB; what is longer is cut into several, which add to each other.

\`\`\`yaml
resources:
  - { identifier: 'https://api.example.com', name: Invoices }
scopes:
  - { name: invoices:read, description: Read your invoices, resource: 'https://api.example.com' }
users:
  - { username: alice, name: Alice Doe, email: alice@example.com }
clients:
  - { client_id: shop, client_secret: a-secret-of-32-or-more-characters, redirect_uris: ['https://shop.example.com/callback'], scope: openid invoices:read }
tenants:
  - { id: acme, name: Acme Inc., clients: [] }
\`\`\`

## resources

An API that tokens are for.

| field | what it is |
|---|---|
| \`identifier\` | its absolute URI, the audience of its tokens (RFC 8707) |
| \`name\` | what people see; the identifier if left out |
| \`token_format\` | \`jwt\` (default) or \`opaque\` |
| \`token_typ\` | \`at+jwt\` (default) or \`JWT\` |
| \`access_token_ttl\` | seconds, from 1 to 86400; that of the deployment if left out |
| \`status_list\` | \`true\`: its tokens are on [status lists](status-lists.md) |
| \`require_roles\` | \`true\`: people get no scope of it but by a [role](groups-and-roles.md) |
| \`claim_mappings\` | what its access tokens say besides: see [claims](claims.md) |
| \`policy_service\` | who is asked before a token of it is issued: see [policy](policy.md) |
| \`issuance_hook\` | what is asked after that: see [policy](policy.md#hooks) |

## scopes

| field | what it is |
|---|---|
| \`name\` | as clients ask for it |
| \`description\` | what people read when they are asked; one text, or one for each language |
| \`resource\` | the identifier of the API it belongs to |
| \`sensitivity\` | \`low\`, \`normal\` (default) or \`high\` |
| \`mode\` | \`default\`, or \`optional\`: people may take it out of what they allow |

## authorization_details_types

\`type\`, \`resources\`, \`schema\` and \`description\`: see [authorization details](authorization-details.md#declare-a-type).

## roles

Bundles of scopes at one API: see [groups and roles](groups-and-roles.md).

| field | what it is |
|---|---|
| \`name\` | 1 to 64 letters, digits, \`.\`, \`_\`, \`:\`, \`-\` |
| \`description\` | what it is for |
| \`resource\` | the identifier of the API |
| \`scopes\` | a list of scopes of that API |

## groups

\`name\`, \`description\` and \`roles\`. Who is in a group is said of people.

## users

| field | what it is |
|---|---|
| \`username\` | what they sign in with |
| \`password\` | only where it is to be set; it obeys what people themselves must obey |
| \`disabled\` | \`true\`: they cannot sign in |
| \`administrator\` | the kind of [administrator](administrators.md) they are; none if left out |
| \`roles\` | the roles they are given themselves; left out, those they have stay |
| \`groups\` | the names of all groups they are in; left out, those stay |
| \`attributes\` | an object of texts, numbers, truth values and lists of them: what the tenant knows of them besides, at most 50 of them, 100 values in a list and 8192 bytes of JSON in all; left out, those stay |
`

/** A field as it stands in a file; a table is no place for a bar or the end of a line. */
const row = (name: string, words: string): string => `| \`${name}\` | ${words.replaceAll('|', '\\|')} |\n`

export function declaredObjectsPage(): string {
  const claims = row([...personClaims].join('`, `'), 'claims, as OpenID Connect Core §5.1 names them')
  const fields = clientFieldNames.map((name) => {
    const { description, setBy } = clientFields[name]
    const who = setBy.length === 1 ? '; set by an operator only' : ''
    return row(name, `${description}${who}`)
  })
  return `${sections}${claims}
## clients

Lists are lists of the described entry. What a client may not have, or not together, is refused with the reason.

| field | what it is |
|---|---|
${row('client_id', 'its id; what it sends')}${row('client_secret', 'only where it is to be set; 32 characters or more')}${row('disabled', '`true`: it gets nothing, and what it has ends')}${fields.join('')}
## providers

Other identity providers that people of the tenant may sign in by, with the fields of [sign-in by other providers](providers.md). \`client_secret_file\` names a file that holds the secret, \`signals_authorization_file\` one with the header that it is [asked for security events](shared-signals.md#asked-for) by. A secret that is left out stays as it is; an export has none.

## trusted_issuers

Whose tokens are taken instead of a secret: see [workload identity](workload-identity.md#what-is-declared).

## webhooks

Who is told of events: \`id\`, \`url\`, \`events\`, \`description\`, \`status\` and \`secret\` or \`secret_file\`; see [webhooks](webhooks.md).

## tenants

\`id\`, \`name\`, \`disabled\`, \`registration\` ([who may register](registration.md#who-may)), \`require_pushed_authorization_requests\`, [\`profile\`](strong-clients.md#for-a-whole-tenant), [\`branding\`](branding.md), [\`accounts\`](sign-up.md), and all of the sections above for [that tenant](tenants.md). At the root of the file the sections are those of the first tenant.
`
}
