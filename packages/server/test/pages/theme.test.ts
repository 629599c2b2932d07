import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assets, stylesheet } from '../../src/pages/assets/assets.ts'
import { contrast, hexOf, parseColour } from '@grantor/protocol/branding'
import { baseColours, createTheme } from '../../src/pages/theme/theme.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`)
const colour = (text: string) => {
  const parsed = parseColour(text)
  assert.ok(parsed)
  return parsed
}

test('WCAG 2.2 §1.4.3: contrast has its known values', () => {
  assert.equal(contrast(colour('#000'), colour('#fff')), 21)
  assert.equal(contrast(colour('#777777'), colour('#ffffff')).toFixed(2), '4.48')
  assert.equal(contrast(colour('#abc'), colour('#aabbcc')), 1)
})

test('a colour is #rgb or #rrggbb and nothing else', () => {
  for (const text of ['red', '#12', '#12345', 'rgb(0,0,0)', '#fff;}', '#ggg', ''])
    assert.equal(parseColour(text), null, text)
  fc.assert(fc.property(hex, (text) => assert.equal(hexOf(colour(text)), text)))
})

test('a theme that people could not read is refused, with the ratio it has', () => {
  const themed = createTheme({ name: 'Acme', accent: '#ffcc00', background: '#555555' })
  assert.ok(themed.kind === 'error')
  assert.deepEqual(themed.error, [
    'accent on the page: contrast 1.51, needs 4.5',
    'text on background: contrast 2.24, needs 4.5',
    'small text on background: contrast 1.17, needs 4.5',
  ])
})

test('every accent that is accepted can be read in both modes, on the page and on its button', () => {
  fc.assert(
    fc.property(hex, (accent) => {
      const themed = createTheme({ name: 'Acme', accent })
      if (themed.kind === 'error') return
      const sheet = themed.value.stylesheet?.bytes.toString() ?? ''
      const found = [...sheet.matchAll(/--accent:(#\w+);--on-accent:(#\w+)/g)]
      assert.equal(found.length, 2)
      for (const [index, [, shown = '', on = '']] of found.entries()) {
        const surface = baseColours[index === 0 ? 'light' : 'dark'].surface
        assert.ok(contrast(colour(shown), colour(surface)) >= 4.5, `${accent} becomes ${shown} on ${surface}`)
        assert.ok(contrast(colour(shown), colour(on)) >= 4.5, `${on} on ${shown}`)
      }
    }),
  )
})

test('a name must be there and a logo must be a picture of reasonable size', () => {
  const themed = createTheme({ name: ' ', logo: { bytes: Buffer.alloc(300_000), contentType: 'text/html' } })
  assert.ok(themed.kind === 'error')
  assert.equal(themed.error.length, 3)
})

test('the colours that themes are measured against are those of the stylesheet', () => {
  const [light = '', dark = ''] = stylesheet.bytes.toString().split('prefers-color-scheme: dark')
  for (const [mode, text] of [
    ['light', light],
    ['dark', dark],
  ] as const) {
    for (const [name, value] of Object.entries(baseColours[mode]))
      assert.match(text, new RegExp(`--${name}: ${value};`), `${mode} ${name}`)
  }
})

test('the name of an asset changes with its content and holds no path', () => {
  for (const asset of assets.values()) assert.match(asset.name, /^[a-z]+\.[0-9a-f]{12}\.(?:css|js|svg)$/)
})
