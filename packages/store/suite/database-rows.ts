/** All rows of a database, for comparing what it held before and after. */
import type { Engine } from '../src/drivers/engine.ts'
import type { Row, Verb } from '../src/verbs/verb.ts'
import { factorTables } from './people/factor-samples.ts'

const tables = [
  'deployment',
  'tenants',
  'directory_changes',
  'resources',
  'scopes',
  'clients',
  'client_uses',
  'validators',
  'client_secrets',
  'registration_tokens',
  'api_keys',
  'keys',
  'assertions',
  'used_proofs',
  'opaque_tokens',
  'revoked_tokens',
  'status_lists',
  'status_entries',
  'events',
  'checkpoints',
  'log_position',
  'users',
  'sessions',
  'session_parties',
  'identities',
  'provider_visits',
  'signal_polls',
  'deliveries',
  'interactions',
  'grants',
  'codes',
  'device_codes',
  'backchannel_user_codes',
  'pushed_requests',
  'refresh_tokens',
  'consents',
  'limits',
  'locks',
  'tenant_logos',
  ...factorTables,
  'mails',
  'event_receivers',
  'event_deliveries',
  'stream_subjects',
  'event_cursor',
  'mailed_links',
  'sign_in_links',
  'invitations',
  'mail_cursor',
]

/** Everything the database holds, in an order that does not depend on it. */
export async function everything(engine: Engine): Promise<Record<string, readonly string[]>> {
  await engine.position()
  const found: Record<string, readonly string[]> = {}
  for (const table of tables) {
    const rows = await engine.read(
      (function* (): Verb<readonly Row[]> {
        return yield { do: 'sql', text: `select * from ${table}`, values: [] }
      })(),
    )
    found[table] = rows
      .map((row) => JSON.stringify(row, (_, value: unknown) => (value instanceof Uint8Array ? [...value] : value)))
      .sort()
  }
  return found
}
