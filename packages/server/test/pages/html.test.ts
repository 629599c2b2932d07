import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { dangerouslyTrustedMarkup, html } from '../../src/pages/html.ts'

test('text is escaped in content and in attributes', () => {
  const nasty = `<b> & "quoted" 'too' \``
  assert.equal(
    html`<p title="${nasty}">${nasty}</p>`.text,
    '<p title="&lt;b&gt; &amp; &quot;quoted&quot; &#39;too&#39; &#96;">&lt;b&gt; &amp; &quot;quoted&quot; &#39;too&#39; &#96;</p>',
  )
})

test('markup is taken as it is, lists are joined, absent things vanish', () => {
  const items = ['a<', 'b'].map((item) => html`<li>${item}</li>`)
  const absent = html`<i>${null}${undefined}${false}${0}</i>`
  assert.equal(html`<b>${items}${absent}</b>`.text, '<b><li>a&lt;</li><li>b</li><i>0</i></b>')
})

test('an object that only looks like markup is not taken for it', () => {
  const forged = { text: '<script>' } as unknown as string
  assert.throws(() => html`<p>${forged}</p>`)
})

test('whatever the text, it cannot leave its place', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const inside = html`<i a="${text}">${text}</i>`.text
      assert.equal(inside.split('<').length, 3)
      assert.equal(inside.split('"').length, 3)
    }),
  )
})

test('escaping loses nothing', () => {
  const back = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&#96;': '`' } as const
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('&', '<', '>', '"', "'", '`', 'a', ';', '#') }), (text) => {
      const plain = html`${text}`.text.replace(
        /&(?:amp|lt|gt|quot|#39|#96);/g,
        (entity) => back[entity as keyof typeof back],
      )
      assert.equal(plain, text)
    }),
  )
})

test('an address that would run script is taken out, however it is spelt', () => {
  for (const address of [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:alert(1)',
    'data:text/html,<script>',
    'vbscript:x',
  ]) {
    assert.equal(html`<a href="${address}"></a>`.text, '<a href="about:invalid"></a>')
    assert.equal(html`<iframe src="${address}"></iframe>`.text, '<iframe src="about:invalid"></iframe>')
    assert.equal(html`<form action="${address}"></form>`.text, '<form action="about:invalid"></form>')
  }
})

test('addresses of clients pass: https, loopback, private-use schemes, our own paths', () => {
  for (const address of [
    'https://a.example/cb?x=1',
    'http://127.0.0.1:1/cb',
    'com.example.app:/cb',
    '/account',
    '#x',
  ]) {
    assert.equal(html`<a href="${address}"></a>`.text, `<a href="${address}"></a>`)
  }
})

test('an unquoted attribute is a bug that shows at its first use', () => {
  assert.throws(() => html`<a href=${'x'}></a>`, /unquoted attribute/)
})

test('the ugly name does what it says', () => {
  assert.equal(html`${dangerouslyTrustedMarkup('<hr>')}`.text, '<hr>')
})
