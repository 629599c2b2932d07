/** `grantor mail test`, and what the doctor says of the mail server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startSmtpServer } from '../../../interop/smtp-server.ts'
import { type Folder, folder } from './grantor.ts'

const mailSettings = (port: number) => ({
  GRANTOR_MAIL_SMTP: `smtp://127.0.0.1:${port}`,
  GRANTOR_MAIL_FROM: 'Example <login@as.example>',
})

async function examined(here: Folder, env: Readonly<Record<string, string>>) {
  const { stdout } = await here.call(['doctor', '--json', '--port', '0', '--management-port', '0'], { env })
  const { findings } = JSON.parse(stdout) as { findings: readonly { check: string; state: string; says: string }[] }
  return findings.find(({ check }) => check === 'mail')
}

test('a test mail arrives, and the doctor finds the server well', async () => {
  using here = folder()
  await using smtp = await startSmtpServer()
  const env = mailSettings(smtp.port)
  const ran = await here.call(['mail', 'test', 'somebody@example.com'], { env })
  assert.equal(ran.code, 0, ran.stderr)
  assert.deepEqual(smtp.arrived[0]?.to, ['somebody@example.com'])
  assert.equal((await examined(here, env))?.state, 'ok')
  assert.equal(smtp.arrived.length, 1)
})

test('no server, a server that is away and no address are told apart, and no password is told', async () => {
  using here = folder()
  const smtp = await startSmtpServer()
  await smtp[Symbol.asyncDispose]()
  const env = { ...mailSettings(smtp.port), GRANTOR_MAIL_SMTP: `smtp://user:canary@127.0.0.1:${smtp.port}` }
  const away = await here.call(['mail', 'test', 'somebody@example.com'], { env })
  assert.equal(away.code, 1)
  assert.doesNotMatch(away.stderr + away.stdout, /canary/)
  assert.equal((await examined(here, env))?.state, 'fail')
  assert.equal((await here.call(['mail', 'test', 'somebody@example.com'])).code, 2)
  assert.equal((await here.call(['mail', 'test', 'nobody'], { env })).code, 2)
  assert.equal((await examined(here, {}))?.state, 'ok')
})

test('mail settings that do not hold together do not start', async () => {
  using here = folder()
  const wrong: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ GRANTOR_MAIL_SMTP: 'smtp://mail.example' }, /GRANTOR_MAIL_FROM/],
    [{ GRANTOR_MAIL_SMTP: 'https://mail.example', GRANTOR_MAIL_FROM: 'a@b.example' }, /must be smtp:/],
    [{ GRANTOR_MAIL_SMTP: 'smtp://mail.example/x', GRANTOR_MAIL_FROM: 'a@b.example' }, /nothing after the port/],
    [{ GRANTOR_MAIL_SMTP: 'smtp://%ff@mail.example', GRANTOR_MAIL_FROM: 'a@b.example' }, /percent-encoded/],
    [{ GRANTOR_MAIL_FROM: 'a@b.example\r\nBcc: c@d.example' }, /must be login@/],
    [{ GRANTOR_MAIL_CA: 'ca.pem' }, /needs GRANTOR_MAIL_SMTP/],
  ]
  for (const [env, message] of wrong) {
    const ran = await here.call(['config', 'check'], { env })
    assert.equal(ran.code, 2, JSON.stringify(env))
    assert.match(ran.stderr, message)
  }
})
