/** Counts are those of the log: each event once, whoever writes at once, fails, or moves minutes into days. */
import { deepEqual, equal } from 'node:assert/strict'
import type { EventName } from '@grantor/protocol/events'
import { daysKept, minutesKept, type StatisticsStep, statisticsSteps } from '../src/contract/statistics.ts'
import type { Store } from '../src/contract/store.ts'
import { acme, at, event, issuance, other, tenantWithClient } from './samples.ts'
import { logged, type OpenEngine, storeTest } from './store-test.ts'

const { minute, day } = statisticsSteps

/** `issued at 0: 2, …`, where times are steps. */
async function counts(store: Store, step: StatisticsStep = 'minute', tenant = acme): Promise<readonly string[]> {
  await store.events.position()
  const found = await store.statistics.counts(tenant, { from: at(0), to: at(2_000 * day), step })
  return found.map(
    (it) => `${it.series}${it.reason && ` ${it.reason}`} at ${it.at / statisticsSteps[step]}: ${it.count}`,
  )
}

const append = (store: Store, name: EventName, more: Parameters<typeof event>[1] = {}) =>
  store.events.append([event(name, more)])

export function statisticsSuite(open: OpenEngine): void {
  storeTest(open, 'events are counted in their minute, hour and day, by series and reason', async ({ store }) => {
    await store.events.append([event('token.issued'), event('token.issued'), event('token.refreshed')])
    await append(store, 'token.issued', { at: at(61 * minute) })
    await append(store, 'login.failed', { at: at(2 * minute), reason: 'password' })
    await append(store, 'login.failed', { at: at(2 * minute), reason: 'second_factor' })
    await append(store, 'key.published')
    await append(store, 'token.issued', { tenant: other })
    deepEqual(await counts(store), [
      'issued at 0: 2',
      'refreshed at 0: 1',
      'sign_in_failed password at 2: 1',
      'sign_in_failed second_factor at 2: 1',
      'issued at 61: 1',
    ])
    deepEqual(
      (await counts(store, 'hour')).filter((it) => it.startsWith('issued')),
      ['issued at 0: 2', 'issued at 1: 1'],
    )
    deepEqual(
      (await counts(store, 'day')).filter((it) => it.startsWith('issued')),
      ['issued at 0: 3'],
    )
    deepEqual(await counts(store, 'minute', other), ['issued at 0: 1'])
  })

  storeTest(open, 'what is logged together is told apart by tenant, time, series and reason', async ({ store }) => {
    const two = <T>(one: T, another: T) => [one, another] as const
    const together = two(acme, other).flatMap((tenant) =>
      two(0, day).flatMap((time) =>
        two('login.failed', 'token.rejected').flatMap((name) =>
          two('password', 'token_expired').map((reason) => event(name as EventName, { tenant, at: at(time), reason })),
        ),
      ),
    )
    await store.events.append([...together, ...together])
    await store.events.position()
    const found = async (step: StatisticsStep, tenant = acme) =>
      new Set((await counts(store, step, tenant)).map((line) => line.split(' ')[0]))
    const before = await counts(store, 'day')
    equal(before.length >= 4, true, before.join())
    for (const line of before) equal(line.endsWith(': 2') || line.includes('other'), true, line)
    deepEqual(await counts(store, 'day', other), before)
    deepEqual(await found('minute'), new Set(['sign_in_failed', 'rejected']))
    // All of it at once, and in parts.
    equal((await store.sweep(at(minutesKept + 2 * day), 1_000)) > 0, true)
    deepEqual([await counts(store, 'day'), await counts(store, 'day', other)], [before, before])
    deepEqual(await counts(store), [])
  })

  storeTest(open, 'a range has its beginning and not its end, in whatever steps', async ({ store }) => {
    for (const time of [0, minute, day - 1, day, 2 * day]) await append(store, 'token.issued', { at: at(time) })
    await store.events.position()
    const between = async (from: number, to: number, step: StatisticsStep) =>
      (await store.statistics.counts(acme, { from: at(from), to: at(to), step })).map(({ at: then }) => then)
    deepEqual(await between(0, minute, 'minute'), [0])
    deepEqual(await between(minute, day, 'minute'), [minute, day - minute])
    deepEqual(await between(day, 2 * day, 'day'), [day])
    while ((await store.sweep(at(minutesKept + 9 * day), 10)) > 0);
    deepEqual(await between(0, 2 * day, 'day'), [0, day])
    deepEqual(await between(day, 3 * day, 'day'), [day, 2 * day])
  })

  storeTest(
    open,
    'an event that stands for many counts as many; a hostile reason makes no series',
    async ({ store }) => {
      const reported = { kind: 'resource_server', id: 'api' } as const
      await append(store, 'client.refused', { reason: 'secret_wrong', data: { count: 7, first_at: 1, last_at: 2 } })
      await append(store, 'token.rejected', { reason: 'token_expired', data: { count: 3 }, actor: reported })
      await append(store, 'token.rejected', { reason: 'made_up', data: { count: 2 }, actor: reported })
      await append(store, 'token.rejected', { reason: 'made_up_too', data: { count: 2 ** 52 }, actor: reported })
      await append(store, 'token.rejected', { reason: '","name":"token.issued', data: { count: -5 } })
      deepEqual(await counts(store), [
        'refused secret_wrong at 0: 7',
        'rejected other at 0: 1000003',
        'rejected token_expired at 0: 3',
      ])
    },
  )

  storeTest(open, 'of many that write at once each is counted, and what fails is not', async ({ store, engine }) => {
    const basis = await tenantWithClient(store)
    await store.events.position()
    const before = (await counts(store)).length
    equal(before, 0)
    const tries = Array.from({ length: 60 }, (_, n) =>
      n % 3 === 0
        ? store.tokens.issue(issuance({ ...basis, revision: -1 }))
        : n % 3 === 1
          ? store.tokens.issue(issuance(basis, { events: [event('token.issued')] }))
          : store.events.append([event('token.issued')]),
    )
    await Promise.all(tries)
    await engine.run('events.append', [[]], 0).catch(() => undefined)
    const issued = (await logged(store, acme)).filter((name) => name === 'token.issued').length
    equal(issued, 40)
    deepEqual(await counts(store), ['issued at 0: 40'])
  })

  storeTest(open, 'old minutes are moved into their day once, however many sweep at once', async ({ store }) => {
    for (const n of [0, 1, 2, 1_439, 1_440, 1_441]) await append(store, 'token.issued', { at: at(n * minute) })
    await append(store, 'login.failed', { at: at(5 * minute), reason: 'password' })
    const whole = ['issued at 0: 4', 'sign_in_failed password at 0: 1', 'issued at 1: 2']
    deepEqual(await counts(store, 'day'), whole)
    // The first day is old by then, the second is not.
    const now = at(minutesKept + day)
    await Promise.all(Array.from({ length: 4 }, () => store.sweep(now, 2)))
    while ((await store.sweep(now, 2)) > 0);
    deepEqual(await counts(store, 'day'), whole)
    deepEqual(await counts(store), ['issued at 1440: 1', 'issued at 1441: 1'])
    // What is written late finds its day.
    await append(store, 'token.issued', { at: at(3 * minute) })
    await store.events.position()
    await store.sweep(now, 10)
    deepEqual((await counts(store, 'day'))[0], 'issued at 0: 5')
    while ((await store.sweep(at(daysKept + day), 10)) > 0);
    deepEqual(await counts(store, 'day'), ['issued at 1: 2'])
    while ((await store.sweep(at(daysKept + 2 * day), 10)) > 0);
    deepEqual(await counts(store, 'day'), [])
  })
}
