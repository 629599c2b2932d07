/** A node's background work: all of it begins with the node, looks as often as it should, and ends with it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Authority, Mail, Ports } from '@grantor/authority'
import { presenceEvery } from '@grantor/protocol/feed'
import { bounded, declare, openDeployment } from '../support/deployment.ts'
import { waitUntil } from '../support/wait-until.ts'

const [second, minute] = [1000, 60_000]
/** The work that comes again, and how often. */
const periods: Readonly<Record<string, number>> = {
  'keys are looked after': minute,
  'what has expired is swept': 5 * second,
  'old events are dropped': 10 * minute,
  'unused clients are removed': 10 * minute,
  'accounts that are due are removed': minute,
  'logouts are delivered': 2 * second,
  'events are delivered': 2 * second,
  'providers are asked for security events': 2 * second,
  'answers by the back channel are told of': 2 * second,
  'mails are sent': 5 * second,
  'refused requests are written down': minute,
  'uses of clients are written down': minute,
  'validators are written down': presenceEvery / 2,
}
/** The reads by which a deliverer looks whether anything is due. */
const looks: readonly string[] = [
  'deliveries.due',
  'eventDeliveries.due',
  'signalPolls.due',
  'backchannel.notificationsDue',
  'mails.takeDue',
]

/** The same store, which tells the name of every verb that is called. */
function told(store: Ports['store'], tell: (verb: string) => void): Ports['store'] {
  const watched = <T extends object>(of: T, name: string): T =>
    new Proxy(of, {
      get(target, key) {
        const value: unknown = Reflect.get(target, key)
        const path = `${name}${String(key)}`
        if (typeof value === 'object' && value !== null) return watched(value, `${path}.`)
        if (typeof value !== 'function') return value
        return (...args: readonly unknown[]): unknown => (tell(path), Reflect.apply(value, target, args))
      },
    })
  return watched(store, '')
}

test('all background work begins with the node, at its times, and ends with it', bounded, async (t) => {
  const deployment = await openDeployment()
  await declare(deployment)
  const called = new Set<string>()
  const mail: Mail = { send: () => Promise.resolve({ did: 'sent' }) }
  const set = t.mock.method(globalThis, 'setInterval')
  const cleared = t.mock.method(globalThis, 'clearInterval')
  const node: Authority = deployment.node({ mail, store: told(deployment.store, (verb) => called.add(verb)) })
  const before = set.mock.callCount()
  await node.begin()
  const begun = set.mock.calls.slice(before)
  const numbers = (list: readonly unknown[]) => list.map(Number).toSorted((a, b) => a - b)
  assert.deepEqual(numbers(begun.map(({ arguments: [, every] }) => every)), numbers(Object.values(periods)))
  await waitUntil(() => looks.every((verb) => called.has(verb)), 'a look by each deliverer')
  await node.close()
  const ended = new Set(cleared.mock.calls.map(({ arguments: [timer] }) => timer))
  assert.ok(
    begun.every(({ result }) => ended.has(result)),
    'each is ended',
  )
})
