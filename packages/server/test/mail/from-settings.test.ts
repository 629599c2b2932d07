/** Which mail the settings ask for, and where the demo puts it. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { MailMessage } from '@grantor/authority'
import type { Instant } from '@grantor/protocol/types'
import { loadSettings } from '../../src/config/load.ts'
import type { Settings } from '../../src/config/settings.ts'
import { mailFrom } from '../../src/mail/from-settings.ts'
import { parseSender, parseSmtpServer } from '../../src/mail/server-address.ts'
import { StartError } from '../../src/start-error.ts'
import { mailToLog } from '../../src/mail/to-log.ts'

function settingsWith(env: Readonly<Record<string, string>>): Settings {
  const loaded = loadSettings({ flags: {}, env: { GRANTOR_LOG: 'silent', ...env }, cwd: '/' })
  assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
  return loaded.value.settings
}

test('mail is off unless a server is named; in the demo it goes to the log', () => {
  assert.equal(mailFrom(settingsWith({})), null)
  assert.notEqual(mailFrom(settingsWith({ GRANTOR_DEMO: 'true' })), null)
  const smtp = { GRANTOR_MAIL_SMTP: 'smtps://mail.example', GRANTOR_MAIL_FROM: 'a@b.example' }
  assert.ok('verify' in (mailFrom(settingsWith(smtp)) ?? {}))
  assert.ok('verify' in (mailFrom(settingsWith({ ...smtp, GRANTOR_DEMO: 'true' })) ?? {}))
})

test('mail.ca must be a file of certificates', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grantor-mail-'))
  const smtp = { GRANTOR_MAIL_SMTP: 'smtps://mail.example', GRANTOR_MAIL_FROM: 'a@b.example' }
  const files = {
    'empty.pem': '',
    'broken.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
    'half.pem': '-----BEGIN CERTIFICATE-----\nMIIB',
  }
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    for (const name of [...Object.keys(files), 'absent.pem'])
      assert.throws(
        () => mailFrom(settingsWith({ ...smtp, GRANTOR_MAIL_CA: join(folder, name) })),
        (error) => error instanceof StartError && error.message.startsWith('GRANTOR_MAIL_CA: '),
        name,
      )
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the demo logs the link, for the person at the terminal', async () => {
  const lines: unknown[] = []
  const mail = mailToLog({ warn: (line: unknown) => void lines.push(line) }, { name: 'Grantor', accent: '#0b6b5b' })
  const where = { at: 0 as Instant, ip: null, userAgent: null }
  const letter: MailMessage = {
    id: '1',
    issuer: 'https://localhost:8443',
    to: 'alice@example.com',
    language: null,
    madeAt: 0 as Instant,
    facts: { kind: 'reset', username: 'alice', link: 'https://localhost:8443/reset-password?token=gp_x', where },
  }
  assert.deepEqual(await mail.send(letter, new AbortController().signal), { did: 'sent' })
  const said = { mail: 'reset', to: letter.to, subject: 'Choose a new password for Grantor' }
  assert.deepEqual(lines, [{ ...said, link: 'https://localhost:8443/reset-password?token=gp_x' }])
})

test('RFC 8314 §7.3: the ports of submission are assumed where none is written', () => {
  const portOf = (text: string) => {
    const server = parseSmtpServer(text)
    return typeof server === 'string' ? server : server.port
  }
  assert.deepEqual(['smtp://m.example', 'smtps://m.example', 'smtp://m.example:25'].map(portOf), [587, 465, 25])
})

test('a sender is an address, perhaps with a name', () => {
  assert.deepEqual(parseSender('a@b.example'), { name: '', address: 'a@b.example' })
  assert.deepEqual(parseSender(' Bücher & Co <a@b.example> '), { name: 'Bücher & Co', address: 'a@b.example' })
  for (const wrong of ['', 'a', 'A <a>', 'a@b.example, c@d.example', 'A\r\nB <a@b.example>', '"x" <a@b.example>'])
    assert.equal(parseSender(wrong), null, wrong)
})
