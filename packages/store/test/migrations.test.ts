/** Which migrations are left to do, and which databases are refused. */
import { deepEqual, equal, throws } from 'node:assert/strict'
import { test } from 'node:test'
import { StoreRefused } from '../src/index.ts'
import { migrationsOf, outstanding } from '../src/schema/migrations.ts'

test('both dialects have the same migrations, numbered without gaps', () => {
  const names = (dialect: 'sqlite' | 'postgres') => migrationsOf(dialect).map(({ number, name }) => `${number} ${name}`)
  deepEqual(names('sqlite'), names('postgres'))
  migrationsOf('sqlite').forEach(({ number }, index) => equal(number, index + 1))
})

test('what was applied is not applied again', () => {
  const known = migrationsOf('sqlite')
  deepEqual(outstanding(known, []), known)
  deepEqual(outstanding(known, known.slice(0, 1)), known.slice(1))
  deepEqual(outstanding(known, known), [])
})

test('an unknown or altered migration is refused', () => {
  const known = migrationsOf('sqlite')
  throws(() => outstanding(known, [{ number: 99, name: 'x', checksum: '' }]), StoreRefused)
  throws(
    () =>
      outstanding(
        known,
        known.map((it) => ({ ...it, checksum: '' })),
      ),
    StoreRefused,
  )
})
