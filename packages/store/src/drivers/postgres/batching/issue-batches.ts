/** Issuances that arrive together go to PostgreSQL together: one statement, one commit, one fsync. */
import { type VerbAnswer, type VerbArgs, type VerbName, verbOf } from '../../../verbs/index.ts'
import { number } from '../../../verbs/row.ts'
import type { Issuance } from '../../../verbs/tokens/tokens.ts'
import { Batches } from './batches.ts'
import { query } from '../connection.ts'
import { type IssueKind, issueStatement } from './issue-statement.ts'
import type { ConnectionPool } from '../pool.ts'
import { runVerb } from '../run-verb.ts'
import { silentAfter } from '../silence.ts'

type IssueAnswer = VerbAnswer<'tokens.issue'>

/** Issuances of the same kind can be sent together. */
export interface Batchable {
  readonly kind: IssueKind
  readonly issuance: Issuance
}

/** Null for a retry, or an issuance that ends other tokens; both are rare. */
export function batchable<N extends VerbName>(name: N, args: VerbArgs<N>): Batchable | null {
  if (name !== 'tokens.issue') return null
  const issuance = args[0] as Issuance
  const { basis, grantId, spend, entries } = issuance
  if (basis.client === null || entries.some(({ cutoff }) => cutoff !== undefined)) return null
  if (spend === null) return { kind: grantId === null ? 'client' : 'grant', issuance }
  if (grantId === null || spend.kind === 'retry' || spend.kind === 'device-retry') return null
  return { kind: spend.kind, issuance }
}

export function issueBatches(pool: ConnectionPool, patience: number): (issuance: Batchable) => Promise<IssueAnswer> {
  const opened = new Map<IssueKind, Batches<Issuance, IssueAnswer>>()
  const open = (kind: IssueKind): Batches<Issuance, IssueAnswer> => {
    const how = {
      together: (batch: readonly Issuance[]) => issueTogether(pool, kind, batch),
      alone: async (issuance: Issuance) =>
        (await runVerb(pool, () => verbOf('tokens.issue', [issuance]))) as IssueAnswer,
      keysOf,
    }
    const batches = new Batches<Issuance, IssueAnswer>(how, silentAfter(patience))
    opened.set(kind, batches)
    return batches
  }
  return ({ kind, issuance }) => (opened.get(kind) ?? open(kind)).add(issuance)
}

/** The rows that only one issuance of a batch may use: a second one must see the effect of the first. */
const keysOf = ({ basis, grantId, spend, proof }: Issuance): readonly string[] =>
  [grantId, spend?.handle, proof?.handle].flatMap((key) => (key == null ? [] : `${basis.tenant} ${key}`))

async function issueTogether(
  pool: ConnectionPool,
  kind: IssueKind,
  batch: readonly Issuance[],
): Promise<readonly (IssueAnswer | undefined)[]> {
  const answers: (IssueAnswer | undefined)[] = batch.map(() => undefined)
  for (const row of await query(pool.changes, issueStatement(kind, batch))) answers[number(row, 'i')] = 'committed'
  return answers
}
