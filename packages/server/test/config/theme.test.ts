/** A theme by settings: what is read, what does not start, and what the pages and their files then are. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loadSettings } from '../../src/config/load.ts'
import { themeFrom } from '../../src/config/theme.ts'
import { StartError } from '../../src/start-error.ts'
import { testbed } from '../http/testbed.ts'

const folder = mkdtempSync(join(tmpdir(), 'grantor-theme-'))
after(() => rmSync(folder, { recursive: true }))

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const file = (name: string, content: string): string => {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

function settingsOf(env: Readonly<Record<string, string>>) {
  const loaded = loadSettings({ flags: {}, env, cwd: folder })
  assert.ok(loaded.kind === 'ok', JSON.stringify(loaded))
  return loaded.value.settings
}

test('name, logo and colours of the settings are on every page, and their files are served', async () => {
  const theme = themeFrom(
    settingsOf({
      GRANTOR_THEME_NAME: 'Acme & Sons',
      GRANTOR_THEME_LOGO: file('logo.SVG', svg),
      GRANTOR_THEME_ACCENT: '#8a1f5c',
      GRANTOR_THEME_BACKGROUND: '#faf6f8',
    }),
  )
  const { app } = testbed({}, { theme })
  const page = await app.inject('/problems/invalid_grant')
  assert.match(page.body, /<span>Acme &amp; Sons<\/span>/)
  const addresses = [...page.body.matchAll(/(?:src|href)="(\/assets\/(?:logo|theme)[^"]+)"/g)].map(([, it]) => it ?? '')
  assert.equal(addresses.length, 2)
  for (const address of addresses) {
    const served = await app.inject(address)
    assert.equal(served.statusCode, 200)
    // A logo that is opened by itself must not run what it holds.
    assert.match(String(served.headers['content-security-policy']), /default-src 'none'.*sandbox/)
    assert.match(String(served.headers['cache-control']), /immutable/)
  }
  await app.close()
})

test('the files of a theme are served by no server without it', async () => {
  const { stylesheet } = themeFrom(settingsOf({ GRANTOR_THEME_ACCENT: '#8a1f5c' }))
  const { app } = testbed()
  assert.equal((await app.inject(`/assets/${stylesheet?.name}`)).statusCode, 404)
  await app.close()
})

test('a logo that is missing, of another kind or too large does not start', () => {
  const huge = file('huge.png', '')
  truncateSync(huge, 17 * 1024 * 1024)
  for (const [logo, says] of [
    [join(folder, 'nowhere.svg'), /cannot be read/],
    [folder, /must be SVG/],
    [file('logo.gif', 'GIF89a'), /must be SVG/],
    [file('large.png', 'x'.repeat(300_000)), /at most 256 KiB/],
    [huge, /cannot be read/],
  ] as const) {
    assert.throws(
      () => themeFrom(settingsOf({ GRANTOR_THEME_LOGO: logo })),
      (error: unknown) => error instanceof StartError && says.test(error.message),
      logo,
    )
  }
})
