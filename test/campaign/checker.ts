/** Checks a history for violations. It needs no servers, so that the file of a failed campaign can be checked again. */
import type { Entry, LoggedEvent } from './history.ts'

export interface Violation {
  readonly rule: RuleName
  readonly what: string
}

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>

/** The entries of a history by kind, and lookups for the rules. */
export class History {
  readonly #entries: readonly Entry[]
  readonly events: readonly LoggedEvent[]

  constructor(entries: readonly Entry[]) {
    this.#entries = entries
    this.events = this.all('event')
  }

  all<K extends Entry['kind']>(kind: K): readonly Of<K>[] {
    return this.#entries.filter((entry): entry is Of<K> => entry.kind === kind)
  }

  /**
   * On SQLite the age of a token is measured with the machine's clock: if the clock jumps, tokens may end or become
   * valid again without a revocation. On PostgreSQL the clock is that of the database, so a node's clock does not
   * matter.
   */
  get clockMoved(): boolean {
    return this.all('plan').some(
      ({ on, faults }) => on === 'sqlite' && faults.some(({ fault }) => fault.startsWith('clock')),
    )
  }

  named(name: string): readonly LoggedEvent[] {
    return this.events.filter((event) => event.name === name)
  }

  /** The time at which each token was acknowledged as dead: revoked tokens, and known tokens of revoked grants. */
  get revokedAt(): ReadonlyMap<string, number> {
    const at = new Map<string, number>()
    for (const entry of [...this.all('revoked'), ...this.all('grant revoked')])
      at.set(entry.jti, Math.min(entry.at, at.get(entry.jti) ?? Infinity))
    return at
  }
}

/** Milliseconds: how old a validator's state may be (`maxStaleness`), and the tolerance between two clock readings. */
export const validatorBound = { stale: 10_000, slack: 500 }

/**
 * Milliseconds for which a refresh token may be sent again without its answer: 60 s, minus the longest delay by a
 * fault.
 */
const retryWithin = 40_000

type Rule = (history: History) => readonly string[]

function countsOf<T>(list: readonly T[], key: (it: T) => string | undefined): ReadonlyMap<string | undefined, number> {
  const counts = new Map<string | undefined, number>()
  for (const it of list) counts.set(key(it), (counts.get(key(it)) ?? 0) + 1)
  return counts
}

const oncePerCode: Rule = (history) =>
  [...countsOf(history.all('redeemed'), ({ code }) => code)]
    .filter(([, count]) => count > 1)
    .map(([code, count]) => `code ${code} gave tokens ${count} times`)

const oneSuccessor: Rule = (history) => {
  const successors = new Map<string, Set<string>>()
  for (const { from, to } of history.all('refreshed')) successors.set(from, (successors.get(from) ?? new Set()).add(to))
  return [...successors]
    .filter(([, to]) => to.size > 1)
    .map(([from, to]) => `refresh token ${from} has the successors ${[...to].join(' and ')}`)
}

const revokedStaysRevoked: Rule = (history) => {
  const { revokedAt } = history
  return history
    .all('introspected')
    .filter(({ jti, active, asked }) => active && asked > (revokedAt.get(jti) ?? Infinity))
    .map(({ jti, node, asked }) => `token ${jti} was revoked, and active at node ${node} at ${asked} ms`)
}

const revokedGrantGivesNothing: Rule = (history) => {
  const ended = new Map(history.all('grant revoked').map(({ token, at }) => [token, at]))
  return history
    .all('refreshed')
    .filter(({ from, asked }) => asked > (ended.get(from) ?? Infinity))
    .map(({ from, asked }) => `the grant of ${from} was revoked, and refreshed at ${asked} ms`)
}

const validatorsStop: Rule = (history) => {
  const { revokedAt } = history
  const { stale, slack } = validatorBound
  return history
    .all('validated')
    .filter(
      ({ jti, verdict, asked }) => verdict === 'accepted' && asked > (revokedAt.get(jti) ?? Infinity) + stale + slack,
    )
    .map(({ jti, validator, asked }) => {
      const after = Math.round(asked - (revokedAt.get(jti) ?? 0))
      return `validator ${validator} accepted ${jti} ${after} ms after it was revoked`
    })
}

/** A dead token never becomes alive again: for all nodes together, and for each validator alone. */
const deadStaysDead: Rule = (history) => {
  if (history.clockMoved) return []
  const sayings = [
    ...history.all('introspected').map((it) => ({ ...it, by: 'the issuer', alive: it.active, dead: !it.active })),
    ...history.all('validated').map((it) => ({
      ...it,
      by: `validator ${it.validator}`,
      alive: it.verdict === 'accepted',
      dead: it.verdict === 'token_revoked',
    })),
  ].toSorted((a, b) => a.at - b.at)
  const deadAt = new Map<string, number>()
  for (const { by, jti, dead, at } of sayings) if (dead && !deadAt.has(`${by} ${jti}`)) deadAt.set(`${by} ${jti}`, at)
  return sayings
    .filter(({ by, jti, alive, asked }) => alive && asked > (deadAt.get(`${by} ${jti}`) ?? Infinity))
    .map(({ by, jti, asked }) => `${by} had called ${jti} dead, and accepted it at ${asked} ms`)
}

function notOnce(
  what: string,
  acknowledged: Iterable<string>,
  counts: ReadonlyMap<string | undefined, number>,
): string[] {
  return [...new Set(acknowledged)]
    .filter((id) => counts.get(id) !== 1)
    .map((id) => `${what} ${id} was acknowledged, and is ${counts.get(id) ?? 0} times in the log`)
}

const loggedOnce: Rule = (history) => {
  const jtis = (name: string) => countsOf(history.named(name), ({ jti }) => jti)
  const clients = (name: string) => countsOf(history.named(name), ({ client }) => client)
  const grantOf = new Map(history.events.map(({ jti, grant }) => [jti, grant]))
  const ended = history.all('grant revoked').flatMap(({ jti, doubtful }) => (doubtful ? [] : (grantOf.get(jti) ?? [])))
  // A token that had expired by a clock is not revoked, so its revocation is not in the log.
  const revocations = history.clockMoved
    ? []
    : [
        ...notOnce(
          'the revocation of',
          history.all('revoked').map(({ jti }) => jti),
          jtis('token.revoked'),
        ),
        ...notOnce(
          'the end of grant',
          ended,
          countsOf(history.named('grant.revoked'), ({ grant }) => grant),
        ),
      ]
  const issued = [...history.all('issued'), ...history.all('redeemed')].map(({ jti }) => jti)
  return [
    ...notOnce('token', issued, jtis('token.issued')),
    ...notOnce(
      'refreshed token',
      history.all('refreshed').map(({ jti }) => jti),
      jtis('token.refreshed'),
    ),
    ...revocations,
    ...notOnce(
      'client',
      history.all('client made').map(({ client }) => client),
      clients('client.registered'),
    ),
    ...notOnce(
      'deleted client',
      history.all('client deleted').map(({ client }) => client),
      clients('client.deleted'),
    ),
  ]
}

const logWhole: Rule = (history) => [
  ...history
    .all('verified')
    .filter(({ code }) => code !== 0)
    .map(({ code, text }) => `audit verify ended with ${code}: ${text}`),
  ...(history.all('verified').length === 0 ? ['the log was not verified'] : []),
  ...history.events
    .map(({ seq }, index) => ({ seq, expected: index + 1 }))
    .filter(({ seq, expected }) => seq !== expected)
    .slice(0, 1)
    .map(({ seq, expected }) => `the log has ${seq} where ${expected} belongs`),
]

const nothingLost: Rule = (history) => {
  const there = new Set(history.all('client').map(({ client }) => client))
  const deleted = new Set(history.all('client deleted').map(({ client }) => client))
  const tried = new Set(history.all('client delete tried').map(({ client }) => client))
  const made = history.all('client made').map(({ client }) => client)
  return [
    ...made.filter((client) => !tried.has(client) && !there.has(client)).map((client) => `client ${client} is gone`),
    ...[...deleted].filter((client) => there.has(client)).map((client) => `client ${client} was deleted, and is there`),
    ...history
      .all('refused')
      .filter(({ triedFor, doubtful }) => !doubtful && !history.clockMoved && triedFor < retryWithin)
      .map(
        ({ token, triedFor }) =>
          `refresh token ${token}, the last of a grant that nobody ended, is refused after ${triedFor} ms`,
      ),
  ]
}

const statisticsAgree: Rule = (history) => {
  const issued = history.named('token.issued').length
  const revoked = history.named('token.revoked').length + history.named('grant.revoked').length
  return history
    .all('statistics')
    .filter((it) => it.issued !== issued || it.revoked !== revoked)
    .map((it) => `the statistics count ${it.issued} issued and ${it.revoked} revoked, the log ${issued} and ${revoked}`)
}

const answersAreHonest: Rule = (history) =>
  history.all('unexpected').map(({ what, status, body, at }) => `${what} was answered ${status} at ${at} ms: ${body}`)

const comesBack: Rule = (history) => [
  ...history
    .all('recovered')
    .filter(({ after }) => after === null)
    .map(({ node }) => `node ${node} did not serve again after everything was mended`),
  ...history
    .all('stopped')
    .filter(({ code }) => code !== 0)
    .map(({ node, code }) => `node ${node} ended with ${code} when it was told to stop`),
]

export const rules = {
  'a code gives tokens once': oncePerCode,
  'a refresh token has one successor': oneSuccessor,
  'revoked stays revoked at every node': revokedStaysRevoked,
  'a revoked grant gives nothing': revokedGrantGivesNothing,
  'every validator stops within the bound': validatorsStop,
  'dead stays dead': deadStaysDead,
  'every acknowledged change is in the log once': loggedOnce,
  'the log is whole': logWhole,
  'nothing acknowledged is lost': nothingLost,
  'the statistics agree with the log': statisticsAgree,
  'no answer but those that are documented': answersAreHonest,
  'every node comes back and stops when told': comesBack,
} satisfies Readonly<Record<string, Rule>>

export type RuleName = keyof typeof rules

export function checkHistory(entries: readonly Entry[]): readonly Violation[] {
  const history = new History(entries)
  return (Object.entries(rules) as [RuleName, Rule][]).flatMap(([rule, broken]) =>
    broken(history).map((what) => ({ rule, what })),
  )
}
