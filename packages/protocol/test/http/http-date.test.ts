/** RFC 9110 §5.6.7: three forms of one moment, and what is none. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { httpDate, parseHttpDate } from '../../src/http/http-date.ts'

const at = Date.parse('1994-11-06T08:49:37Z')

test('a moment is read in each of its forms, and written in the first', () => {
  for (const text of ['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])
    assert.equal(parseHttpDate(text), at, text)
  assert.equal(httpDate(at), 'Sun, 06 Nov 1994 08:49:37 GMT')
})

test('two digits are a year of this century until 69', () => {
  assert.equal(parseHttpDate('Sunday, 06-Nov-69 08:49:37 GMT'), Date.parse('2069-11-06T08:49:37Z'))
  assert.equal(parseHttpDate('Sunday, 06-Nov-70 08:49:37 GMT'), Date.parse('1970-11-06T08:49:37Z'))
})

test('what is no date is none', () => {
  for (const text of ['', 'yesterday', '1994-11-06', 'Sun, 06 Nov 1994 08:49:37', 'Sun, 06 Nix 1994 08:49:37 GMT'])
    assert.equal(parseHttpDate(text), null, text)
})

test('every month, and the ends of each unit of time', () => {
  for (let month = 0; month < 12; month += 1) {
    const day = Date.UTC(2026, month, 15, 12)
    assert.equal(parseHttpDate(new Date(day).toUTCString()), day)
    assert.equal(httpDate(day + 999), new Date(day).toUTCString())
  }
  const of = (time: string, date = '06 Nov 1994') => parseHttpDate(`Sun, ${date} ${time} GMT`)
  assert.equal(of('23:59:59'), Date.parse('1994-11-06T23:59:59Z'))
  // RFC 9110 §5.6.7: a leap second.
  assert.equal(of('23:59:60'), Date.parse('1994-11-07T00:00:00Z'))
  for (const wrong of ['24:00:00', '23:60:00', '23:59:61']) assert.equal(of(wrong), null, wrong)
  for (const wrong of ['31 Nov 1994', '00 Nov 1994', '29 Feb 2025']) assert.equal(of('08:49:37', wrong), null, wrong)
  assert.equal(of('08:49:37', '29 Feb 2024'), Date.parse('2024-02-29T08:49:37Z'))
})
