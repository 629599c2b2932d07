/** The looks of tenants: colours that can always be read, sheets that any node can serve, and what is not their own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contrast, mix, parseColour } from '@grantor/protocol/branding'
import type { TenantId } from '@grantor/protocol/types'
import { brandedStyle } from '../../src/mail/messages/content.ts'
import { baseColours, brandSheet, brandSheetNamed, palette, type ThemeColours } from '../../src/pages/theme/palette.ts'
import { clientTheme, tenantTheme } from '../../src/pages/theme/tenant-theme.ts'
import { createTheme, defaultTheme } from '../../src/pages/theme/theme.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const maybeHex = fc.option(hex, { nil: undefined })
const anyColours = fc
  .record({ accent: maybeHex, accentDark: maybeHex, background: maybeHex, backgroundDark: maybeHex })
  .map((it) => Object.fromEntries(Object.entries(it).filter(([, value]) => value !== undefined)) as ThemeColours)
const colour = (text: string) => parseColour(text) ?? assert.fail(text)

test('WCAG 2.2 §1.4.3: whatever the colours of a brand, all text is read in light and in dark', () => {
  fc.assert(
    fc.property(anyColours, (colours) => {
      for (const [mode, { accent, onAccent, page }] of Object.entries(palette(colours))) {
        const { surface, sunken, ink, muted } = baseColours[mode as 'light' | 'dark']
        const least = (what: string, on: readonly number[]) =>
          assert.ok(
            contrast(colour(what), on as never) >= 4.5,
            `${what} on ${String(on)} of ${JSON.stringify(colours)}`,
          )
        least(onAccent, colour(accent))
        // Pressed and hovered buttons are a little of the ink.
        least(onAccent, mix(colour(accent), colour(ink), 0.12))
        for (const ground of [page, surface, sunken]) {
          least(accent, colour(ground))
          for (const text of [accent, ink, muted]) {
            if (ground !== page && text !== accent) continue
            least(text, colour(ground))
            least(text, mix(colour(ground), colour(accent), 0.11))
          }
        }
      }
    }),
    { numRuns: 300 },
  )
})

test('a colour that can be read is the one that is shown', () => {
  assert.equal(palette({ accent: '#1d4ed8' }).light.accent, '#1d4ed8')
  assert.equal(palette({ background: '#eef2ff' }).light.page, '#eef2ff')
  assert.equal(palette({ background: '#0b1020' }).dark.page, '#0b1020')
  const { light, dark } = palette({})
  assert.deepEqual([light.accent, light.page], [baseColours.light.accent, baseColours.light.page])
  assert.deepEqual([dark.accent, dark.page], [baseColours.dark.accent, baseColours.dark.page])
})

test('the sheet of a brand is found by its name alone, and no other name finds any', () => {
  fc.assert(
    fc.property(anyColours, (colours) => {
      const sheet = brandSheet(colours)
      assert.match(sheet.name, /^brand(?:\.(?:[0-9a-f]{6}|none)){4}\.[0-9a-f]{12}\.css$/)
      assert.deepEqual(brandSheetNamed(sheet.name), sheet)
      assert.match(sheet.bytes.toString(), /^[\w#:;{}()@ -]+$/)
    }),
  )
  const { name } = brandSheet({ accent: '#1d4ed8' })
  for (const other of [
    name.replace('1d4ed8', '1d4ed9'),
    name.replace('1d4ed8', '1D4ED8'),
    name.replace(/\w+\.css$/, '000000000000.css'),
    'brand.css',
    'brand.red.none.none.none.0.css',
    '../brand.css',
  ])
    assert.equal(brandSheetNamed(other), null, other)
})

const acme = { id: 'acme' as TenantId, name: 'Acme' }
const first = { id: 'default' as TenantId, name: 'default' }

test('a tenant is called by its own name; the first one is called what the deployment is called', () => {
  assert.equal(tenantTheme(defaultTheme, acme).name, 'Acme')
  assert.equal(tenantTheme(defaultTheme, first).name, 'Grantor')
  for (const tenant of [acme, first])
    assert.equal(tenantTheme(defaultTheme, { ...tenant, branding: { name: 'Brand' } }).name, 'Brand')
})

test('what a tenant does not say of its looks is what the deployment says', () => {
  const themed = createTheme({ name: 'Deployment', accent: '#8a1f5c', accentDark: '#ff9ad5', background: '#fff5fb' })
  assert.ok(themed.kind === 'ok')
  const deployment = themed.value
  assert.equal(tenantTheme(deployment, acme).stylesheet, deployment.stylesheet)
  assert.equal(tenantTheme(deployment, acme).logo, deployment.logo)
  const own = tenantTheme(deployment, { ...acme, branding: { accent: '#1d4ed8' } })
  assert.deepEqual(own.colours, { accent: '#1d4ed8', background: '#fff5fb' })
  const page = tenantTheme(deployment, { ...acme, branding: { background: '#eef2ff' } })
  assert.deepEqual(page.colours, { accent: '#8a1f5c', accentDark: '#ff9ad5', background: '#eef2ff' })
  const logo = { hash: 'a'.repeat(32), type: 'image/png' } as const
  assert.equal(tenantTheme(deployment, { ...acme, branding: { logo } }).logo.name, `logos/acme/${'a'.repeat(32)}.png`)
})

test('a mail is signed by the tenant, in a colour that can be read', () => {
  const style = { name: 'Deployment', accent: '#0b6b5b' }
  assert.deepEqual(brandedStyle(style, undefined), style)
  assert.deepEqual(brandedStyle(style, acme), { ...style, name: 'Acme' })
  const { name, accent } = brandedStyle(style, { ...acme, branding: { name: 'Brand', accent: '#ffee00' } })
  assert.equal(name, 'Brand')
  assert.ok(contrast(colour(accent), colour('#ffffff')) >= 4.5, accent)
})

test('a client has its own colours within the look of its tenant, and none that are no colours', () => {
  const tenant = tenantTheme(defaultTheme, { ...acme, branding: { accent: '#b91c1c', background: '#fff7ed' } })
  const dressed = clientTheme(tenant, { accent: '#1D4ED8', background: null })
  assert.deepEqual([dressed.name, dressed.logo], [tenant.name, tenant.logo])
  assert.deepEqual(dressed.colours, { accent: '#1d4ed8', background: '#fff7ed' })
  assert.deepEqual(dressed.stylesheet, brandSheet(dressed.colours))
  assert.deepEqual(clientTheme(tenant, { accent: null, background: '#abc' }).colours, {
    accent: '#b91c1c',
    background: '#aabbcc',
  })
  for (const accent of [null, 'red', '#12345', 'url(x)'])
    assert.equal(clientTheme(tenant, { accent, background: null }), tenant)
})
