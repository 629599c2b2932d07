/** One connection to PostgreSQL falls silent while the others answer: who uses another is answered, and it is given up. */
import { equal, ok, rejects } from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { startTcpProxy, type TcpProxy } from '../../../test/faults/tcp-proxy.ts'
import { openPostgres } from '../src/drivers/postgres/engine.ts'
import { type Store, StoreUnavailable } from '../src/index.ts'
import { acme, at, change, event, handle, issuance, tenantWithClient } from '../suite/samples.ts'
import { openAuditKey as auditKey } from './support/audit-key.ts'
import { freshSchema } from './support/fresh-schema.ts'

interface Wired {
  readonly store: Store
  readonly proxy: TcpProxy
}

/** Nothing in the background, so that the next to speak is who the test asks to. */
async function wired(t: TestContext, more: { readonly notary?: boolean } = {}): Promise<Wired> {
  const { url, schema, drop } = await freshSchema()
  // The last first: what a store does in the background and the drop of its tables could wait for each other.
  const stack = new AsyncDisposableStack()
  t.after(() => stack.disposeAsync())
  stack.defer(drop)
  const address = new URL(url)
  const proxy = stack.use(await startTcpProxy(address.hostname, Number(address.port)))
  address.port = String(proxy.port)
  const store = await openPostgres({ url: address.href, schema, auditKey, notary: false, ...more })
  stack.defer(() => store.close())
  return { store, proxy }
}

const units = (n: number) => [{ key: 'tenant', now: n, interval: 1, span: 1_000_000 }]

/** What each answers, besides those that must not be done twice by us. */
const answered: Readonly<Record<string, (store: Store, n: number) => Promise<unknown>>> = {
  'a lookup': (store) => store.grants.refresh(acme, handle('none')),
  'a read': (store) => store.events.after(acme, 0, 10),
  'a read of several statements': (store) => store.directory.catalogue(acme),
  'a verb of several statements': (store, n) => store.directory.apply([change({ tenant: `t${n}` as typeof acme })]),
  'a look at its health': (store) => store.ping(),
  'a write of its health': (store, n) => store.probeWrite(at(n)),
}

test(
  'what can be asked elsewhere is answered though its connection fell silent, and so is all that comes behind',
  { concurrency: 6 },
  async (t) => {
    const each = Object.entries(answered).map(([name, work]) =>
      t.test(name, async (t) => {
        const { store, proxy } = await wired(t)
        await store.directory.apply([change()])
        await Promise.all([0, 1, 2].map((n) => work(store, n)))
        const silenced = proxy.silence()
        const first = work(store, 10)
        const { givenUp } = await silenced
        await Promise.all(Array.from({ length: 20 }, (_, n) => work(store, 20 + n)))
        await first
        await givenUp
        await work(store, 50)
      }),
    )
    await Promise.all(each)
  },
)

/** What must not be done twice by us is refused at the end of the database's time, and holds up nobody. */
test(
  'issuance and limits behind a connection that fell silent go on, and what was on it is refused in time',
  { concurrency: 2 },
  async (t) => {
    await Promise.all([
      t.test('tokens', async (t) => {
        const { store, proxy } = await wired(t)
        const basis = await tenantWithClient(store)
        const issue = () => store.tokens.issue(issuance(basis))
        equal(await issue(), 'committed')
        await holdsNobody({ store, proxy }, issue)
        equal(await issue(), 'committed')
      }),
      t.test('limits', async (t) => {
        const it = await wired(t)
        let n = 0
        const take = () => it.store.limits.takeUnits(units((n += 1)))
        await take()
        await holdsNobody(it, take)
        ok((await take())[0]?.taken)
      }),
    ])
  },
)

async function holdsNobody({ proxy, store }: Wired, work: () => Promise<unknown>): Promise<void> {
  await Promise.all([store.ping(), store.ping(), store.ping()])
  const silenced = proxy.silence()
  let isOver = false
  const first = rejects(work(), StoreUnavailable).finally(() => (isOver = true))
  const { givenUp } = await silenced
  await Promise.all(Array.from({ length: 20 }, work))
  equal(isOver, false, 'they did not wait for it')
  await first
  await givenUp
}

test('a verb whose connection falls silent between its statements is refused in time, and the connection given up', async (t) => {
  const { store, proxy } = await wired(t)
  await store.directory.apply([change()])
  // By a value: the texts of its statements were sent before.
  const silenced = proxy.silence('unheard')
  const refused = rejects(store.directory.apply([change({ tenant: 'unheard' as typeof acme })]), StoreUnavailable)
  const { givenUp } = await silenced
  await refused
  await givenUp
  await store.directory.apply([change({ tenant: 'another' as typeof acme })])
})

test('events get their place though the connection that gives it to them fell silent', async (t) => {
  const { store, proxy } = await wired(t, { notary: true })
  await store.events.append([event('token.issued')])
  await store.events.position()
  // Whoever gives them their place looks for some all the time.
  const { givenUp } = await proxy.silence()
  await store.events.append([event('token.revoked')])
  let isGivenUp = false
  void givenUp.then(() => (isGivenUp = true))
  while ((await store.events.after(acme, 0, 10)).length < 2);
  equal(isGivenUp, false, 'nobody waited for it')
  await givenUp
})

test('a connection that only listens is noticed to be silent, and listened on another', async (t) => {
  const { store, proxy } = await wired(t)
  const stop = store.events.watch(() => {})
  const { givenUp } = await proxy.silence('select 1 as heard')
  const again = proxy.silence('listen grantor_')
  await givenUp
  await again
  stop()
})

test('a node whose connections are all silent is closed in time', async (t) => {
  const { store, proxy } = await wired(t, { notary: true })
  const stop = store.events.watch(() => {})
  await store.ping()
  proxy.hold()
  stop()
  await store.close()
})
