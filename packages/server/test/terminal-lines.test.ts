/** What a person at a terminal reads of the log, and what a stranger cannot make the terminal do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { terminalLine } from '../src/terminal-lines.ts'

function written(log: (to: ReturnType<typeof pino>) => void): string {
  let text = ''
  const stream = { write: (line: string) => void (text += terminalLine(line)) }
  log(pino({ base: { pid: 7 }, timestamp: () => ',"time":"2026-11-17T14:03:07.123Z"' }, stream))
  return text
}

test('a line is its time, its level, what happened and the facts of it', () => {
  assert.equal(
    written((log) =>
      log.info({ reason: 'client_unknown', sent: { clientId: 'shop', redirectUri: 'https://a.example/cb' } }, 'no'),
    ),
    '14:03:07 info no  reason=client_unknown clientId=shop redirectUri=https://a.example/cb\n',
  )
  assert.equal(
    written((log) => log.warn('alone')),
    '14:03:07 warn alone\n',
  )
  assert.equal(
    written((log) => log.info({ name: 'two words', of: { a: [1] } }, 'it')),
    '14:03:07 info it  name="two words" of={"a":[1]}\n',
  )
})

test('nothing that is logged moves the cursor, turns the line around or begins another', () => {
  const hostile = '\u001b[2J\u009b1m\r\nfake \u202e \u2028'
  const text = written((log) => log.info({ clientId: hostile, [hostile]: 1, err: new Error(hostile) }, hostile))
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be there
  assert.doesNotMatch(text.replaceAll('\n', ''), /[\u0000-\u001f\u007f-\u009f\u202e\u2028]/)
  for (const line of text.split('\n').slice(1, -1)) assert.match(line, /^ {2}/)
})

test('a failure keeps its stack, a line each', () => {
  const text = written((log) => log.error({ err: new Error('broken'), id: 'x1' }, 'it failed'))
  assert.match(text, /^14:03:07 error it failed {2}id=x1\n {2}Error: broken\n {6}at /)
})
