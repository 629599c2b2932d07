/** Lists: the rules of limit, sort and filter as tables. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  listIdentity,
  type ListQuery,
  type ListRules,
  readListQuery,
  filterOps,
  longestText,
  mostValues,
  sortFields,
} from '../../src/http/page.ts'
import type { RequestFault } from '../../src/http/problem.ts'
import { readQuery } from '../../src/http/query.ts'
import type { Result } from '../../src/result.ts'

const rules: ListRules = {
  filter: {
    status: { ops: ['eq', 'ne', 'in'], kind: 'string', values: ['open', 'paid'] },
    total: { ops: ['eq', 'gte', 'lte'], kind: 'integer' },
    weight: { ops: ['gt'], kind: 'number' },
    gift: { ops: ['eq'], kind: 'boolean' },
    name: { ops: ['prefix', 'contains'], kind: 'string' },
    at: { ops: ['gte', 'prefix'], kind: 'date-time' },
  },
  sort: ['created_at', 'total'],
  defaultSort: '-created_at',
  limit: { usual: 50, most: 200 },
  idField: 'id',
  sortsById: true,
  fixedOrder: false,
}

function read(search: string): Result<ListQuery, readonly RequestFault[]> {
  const query = readQuery(search)
  return query.kind === 'ok' ? readListQuery(query.value, rules) : query
}
const faults = (search: string): readonly string[] => {
  const list = read(search)
  return list.kind === 'ok' ? [] : list.error.map((error) => ('parameter' in error ? error.parameter : ''))
}
const limitOf = (search: string): number | null => {
  const list = read(search)
  return list.kind === 'ok' ? list.value.limit : null
}
const sortOf = (search: string): string | null => {
  const list = read(search)
  return list.kind === 'ok'
    ? list.value.sort.map(({ field, descending }) => (descending ? '-' : '') + field).join()
    : null
}

test('AIP-158: none and 0 are the usual limit, too many is lowered, anything else is refused', () => {
  for (const [text, limit] of [
    ['', 50],
    ['limit=0', 50],
    ['limit=1', 1],
    ['limit=200', 200],
    ['limit=201', 200],
    ['limit=99999999999999999999999', 200],
  ] as const) {
    assert.equal(limitOf(text), limit, text)
  }
  for (const text of ['limit=-1', 'limit=1.5', 'limit=1e3', 'limit=abc', 'limit=', 'limit=0x10', 'limit=%20 1']) {
    assert.deepEqual(faults(text), ['limit'], text)
  }
})

test('the cursor is what was sent, and null without one', () => {
  for (const [text, cursor] of [
    ['cursor=abc', 'abc'],
    ['limit=1', null],
  ] as const) {
    const list = read(text)
    assert.ok(list.kind === 'ok')
    assert.equal(list.value.cursor, cursor)
  }
})

test('every order ends with the id, in the direction of the key before it', () => {
  assert.equal(sortOf(''), '-created_at,-id')
  assert.equal(sortOf('sort=total'), 'total,id')
  assert.equal(sortOf('sort=+total'), 'total,id')
  assert.equal(sortOf('sort=%2Btotal'), 'total,id')
  assert.equal(sortOf('sort=total,-created_at'), 'total,-created_at,-id')
  assert.equal(sortOf('sort=-id'), '-id')
  for (const bad of ['sort=', 'sort=nothing', 'sort=total,total', 'sort=total,', 'sort=--total', 'sort=status']) {
    assert.deepEqual(faults(bad), ['sort'], bad)
  }
})

test('blanks around a key count for nothing, and however many there are cost no more than their number', () => {
  assert.equal(sortOf('sort=%20-%20total%20,%20id%20'), '-total,id')
  assert.deepEqual(faults(`sort=${'+'.repeat(100_000)}total+x`), ['sort'])
})

test('RFC 3339: a moment is told in one spelling, and what is none is refused', () => {
  for (const text of ['2026-11-15T10:00:00Z', '2026-11-15T11:00:00%2B01:00', '2026-11-15t10:00:00.000z']) {
    const list = read(`at[gte]=${text}`)
    assert.ok(list.kind === 'ok', text)
    assert.deepEqual(list.value.filter[0]?.values, ['2026-11-15T10:00:00.000Z'])
  }
  for (const text of ['', 'yesterday', '2026-11-15', '2026-13-01T00:00:00Z', '2026-11-15T10:00:00', '1763200800']) {
    assert.deepEqual(faults(`at[gte]=${text}`), ['at[gte]'], text)
  }
  assert.deepEqual(faults('at[prefix]=2026-11'), [])
  assert.deepEqual(faults('name[contains]=a%25'), [])
})

test('a filter is read into the type of its field', () => {
  const list = read('status[in]=open,paid&total[gte]=-5&total[lte]=100&weight[gt]=1.5&gift=true&name[prefix]=a%2Cb')
  assert.ok(list.kind === 'ok')
  assert.deepEqual(list.value.filter, [
    { field: 'status', op: 'in', values: ['open', 'paid'] },
    { field: 'total', op: 'gte', values: [-5] },
    { field: 'total', op: 'lte', values: [100] },
    { field: 'weight', op: 'gt', values: [1.5] },
    { field: 'gift', op: 'eq', values: [true] },
    { field: 'name', op: 'prefix', values: ['a,b'] },
  ])
})

test('a misspelt filter is refused, never ignored', () => {
  for (const bad of [
    'statsu=open',
    'status[gte]=open',
    'status[]=open',
    'status[eq=open',
    'status=closed',
    'status[in]=open,',
    'total=abc',
    'total=1.5',
    'total=99999999999999999',
    'total[GTE]=1',
    'gift=yes',
    '__proto__=1',
    'constructor=1',
    'toString=1',
    'page=2',
  ]) {
    assert.deepEqual(faults(bad), [bad.split('=')[0]], bad)
  }
  assert.deepEqual(faults('a=1&limit=x&sort=q'), ['a', 'limit', 'sort'])
})

test('a parameter given twice, broken encoding and control characters are refused', () => {
  assert.deepEqual(faults('limit=1&limit=2'), ['limit'])
  assert.deepEqual(faults('status=open&status=paid'), ['status'])
  for (const bad of ['status=%zz', 'status=%', 'status=%ff', 'status=%00', '%E0%A4%A=1']) {
    assert.equal(faults(bad).length, 1, bad)
  }
  assert.equal(faults(Array.from({ length: 65 }, (_, i) => `a${i}=1`).join('&')).length, 1)
})

test('no query makes the reader throw', () => {
  fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => void read(text)))
  fc.assert(fc.property(fc.webQueryParameters(), (text) => void read(text)))
})

test('a list keeps its identity when its parameters change places, and loses it with any of them', () => {
  const identity = (search: string): string => {
    const list = read(search)
    assert.ok(list.kind === 'ok', search)
    return listIdentity(list.value)
  }
  assert.equal(identity('status=open&total[gte]=1'), identity('total[gte]=1&limit=7&status=open'))
  const all = [
    '',
    'status=open',
    'status[ne]=open',
    'status[in]=open',
    'total=1',
    'total[gte]=1',
    'sort=total',
    'sort=-total',
  ]
  assert.equal(new Set(all.map(identity)).size, all.length)
})

test('how a list may be filtered, and how much of it', () => {
  assert.deepEqual(filterOps, ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'in', 'prefix', 'contains'])
  assert.deepEqual([longestText, mostValues], [2048, 100])
})

test('the identity of a list does not hang on the order of filters of one field, and tells one value from two', () => {
  const of = (search: string): string => {
    const list = read(search)
    assert.ok(list.kind === 'ok', search)
    return listIdentity(list.value)
  }
  assert.equal(of('total[gte]=1&total[lte]=9&gift=true'), of('gift=true&total[lte]=9&total[gte]=1'))
  assert.equal(new Set(['status[in]=open', 'status[in]=paid', 'status[in]=open,paid'].map(of)).size, 3)
})

test('the id is a key to sort by where the list says so, and only there', () => {
  const sorted = (sortsById: boolean) => {
    const query = readQuery('sort=id')
    assert.ok(query.kind === 'ok')
    return readListQuery(query.value, { ...rules, sortsById }).kind
  }
  assert.deepEqual([sorted(true), sorted(false)], ['ok', 'error'])
  assert.deepEqual(sortFields(rules), ['created_at', 'total', 'id'])
  assert.deepEqual(sortFields({ ...rules, sortsById: false }), ['created_at', 'total'])
})

test('what is wrong with a list is said with what there is', () => {
  const told = (search: string, of: ListRules = rules) => {
    const query = readQuery(search)
    assert.ok(query.kind === 'ok')
    const list = readListQuery(query.value, of)
    return list.kind === 'ok'
      ? null
      : list.error.map((it) => ('parameter' in it ? [it.parameter, it.code, it.detail] : it))
  }
  const rows: readonly (readonly [search: string, parameter: string, code: string, detail: string])[] = [
    ['limit=x', 'limit', 'invalid', 'A whole number, 0 or more.'],
    ['sort=name', 'sort', 'unknown', 'Sortable: created_at, total, id.'],
    ['sort=total,-total', 'sort', 'repeated', 'A field is sorted by at most once.'],
    ['total[in]=1', 'total[in]', 'unknown', 'This field takes: eq, gte, lte.'],
    ['total=x', 'total', 'invalid', 'A value of type integer.'],
    ['status=lost', 'status', 'invalid', 'One of: open, paid.'],
    [
      `status[in]=${Array.from({ length: mostValues + 1 }, () => 'open').join(',')}`,
      'status[in]',
      'too_many',
      `At most ${mostValues} values.`,
    ],
  ]
  for (const [search, ...fault] of rows) assert.deepEqual(told(search), [fault], search.slice(0, 60))
  assert.equal(told(`status[in]=${Array.from({ length: mostValues }, () => 'open').join(',')}`), null)
  const fixed = { ...rules, fixedOrder: true }
  assert.equal(told('sort=-created_at', fixed), null)
  assert.deepEqual(told('sort=created_at', fixed), [['sort', 'unknown', 'Sortable: -created_at, and no other way.']])
})

test('a value is read as what the field holds, at the edge of what it can hold', () => {
  const value = (search: string) => {
    const list = read(search)
    return list.kind === 'ok' ? (list.value.filter[0]?.values[0] ?? null) : null
  }
  const rows: readonly (readonly [search: string, value: string | number | boolean | null])[] = [
    ['total=9007199254740991', Number.MAX_SAFE_INTEGER],
    ['total=9007199254740992', null],
    ['total=-7', -7],
    ['total=1.0', null],
    ['total=1e3', null],
    ['weight[gt]=1.5', 1.5],
    ['weight[gt]=-1e3', -1000],
    ['weight[gt]=9007199254740993', 9007199254740992],
    ['weight[gt]=1e999', null],
    ['weight[gt]=.5', null],
    [`weight[gt]=${'1'.repeat(32)}`, Number('1'.repeat(32))],
    [`weight[gt]=${'1'.repeat(33)}`, null],
    ['gift=true', true],
    ['gift=false', false],
    ['gift=no', null],
    [`name[prefix]=${'x'.repeat(longestText)}`, 'x'.repeat(longestText)],
    [`name[prefix]=${'x'.repeat(longestText + 1)}`, null],
    ['at[prefix]=2026-0', '2026-0'],
    ['at[gte]=2026-0', null],
    ['at[gte]=2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['at[gte]=2023-02-29T00:00:00Z', null],
    ['at[gte]=2026-01-31t10:00:00z', '2026-01-31T10:00:00.000Z'],
  ]
  for (const [search, expected] of rows) assert.equal(value(search), expected, search.slice(0, 60))
})
