/** Reads a token request: the rule of its grant type, what that looks up, and what the tokens will be bound to. */
import { type AnyGrantRule, confirmationOf } from '@grantor/protocol/grants'
import {
  type Binding,
  type Catalogue,
  type Form,
  type Possession,
  type Refusal,
  tokenBinding,
} from '@grantor/protocol/oauth'
import type { Client } from '@grantor/protocol/registration'
import { type Err, err, ok, type Result } from '@grantor/protocol/result'
import type { ProvePossession } from '../clients/possession.ts'
import type { RecordPoll } from '../device/device-poll-times.ts'
import type { Ids } from '../ports/environment.ts'
import { findGrantFacts, type GrantFactDependencies, type GrantFacts } from './grant-facts.ts'

export { type DevicePollTimes, recordPollOnce } from '../device/device-poll-times.ts'

export interface ParsedGrant {
  readonly rule: AnyGrantRule
  readonly params: unknown
}

export interface Redemption extends ParsedGrant {
  readonly found: GrantFacts
  /**
   * Checked before the rule decides: a client without the key can neither use up any part of a grant nor end the grant.
   */
  readonly binding: Result<Binding, Refusal>
}

export interface RedemptionDependencies extends GrantFactDependencies {
  readonly ids: Pick<Ids, 'handleOf'>
}

interface AskedFor {
  readonly form: Form
  readonly catalogue: Catalogue
  readonly rules: ReadonlyMap<string, AnyGrantRule>
  readonly possession: ProvePossession
  readonly recordPoll: RecordPoll
}

/** The request is read once per decision, whichever of the two functions is called first. */
export function redemptionOf(asked: AskedFor, deps: RedemptionDependencies) {
  let reading: Promise<Result<Redemption, Refusal>> | null = null
  const read = (client: Client) => (reading ??= readRedemption(client, asked, deps))
  return {
    read,
    /**
     * The refusal where the code or token is bound to another key. Null where it is not, or where the grant type
     * redeems nothing.
     */
    async keyRefusal(client: Client): Promise<Err<Refusal> | null> {
      const redeems = asked.rules.get(asked.form.get('grant_type') ?? '')?.redeems
      if (redeems === undefined) return null
      const redemption = await read(client)
      if (redemption.kind === 'error') return null
      const { binding } = redemption.value
      return binding.kind === 'error' ? binding : null
    },
  }
}

async function readRedemption(
  client: Client,
  { form, catalogue, rules, possession, recordPoll }: AskedFor,
  deps: RedemptionDependencies,
): Promise<Result<Redemption, Refusal>> {
  const parsed = parse(form, { client, rules }, deps)
  if (parsed.kind === 'error') return parsed
  const { rule, params } = parsed.value
  const proven = possession(client)
  if (proven.kind === 'error') return proven
  const found = await findGrantFacts(rule.lookups(params), { catalogue, recordPoll }, deps)
  return ok({ rule, params, found, binding: bindingOf(rule, { client, found, ...proven.value }) })
}

function parse(
  form: Form,
  { client, rules }: Pick<AskedFor, 'rules'> & { readonly client: Client },
  { ids }: RedemptionDependencies,
): Result<ParsedGrant, Refusal> {
  const type = form.get('grant_type')
  if (type === undefined) return err({ reason: 'parameter_missing', name: 'grant_type' })
  const rule = rules.get(type)
  if (rule === undefined) return err({ reason: 'grant_type_unknown' })
  if (!client.metadata.grant_types.includes(type)) return err({ reason: 'grant_type_not_allowed' })
  const params = rule.parse(form, ids.handleOf)
  return params.kind === 'error' ? params : ok({ rule, params: params.value })
}

interface Presented {
  readonly client: Client
  readonly found: GrantFacts
  readonly possession: Possession
}

function bindingOf({ redeems }: AnyGrantRule, { client, found, possession }: Presented): Result<Binding, Refusal> {
  const { grant, facts } = found
  const [presented = null] = Object.values(facts)
  const spent = presented !== null && 'spentFor' in presented ? presented.spentFor : null
  // What the grant of another client is bound to must not show in the answer.
  const held = grant?.clientId === client.id ? confirmationOf(grant, spent) : null
  return tokenBinding({ client, possession, redeems: redeems ?? null, held })
}
