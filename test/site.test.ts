/** The site made from docs/: whatever a page links to is there, and every page can be found. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { test } from 'node:test'
import { declaredObjectsPage } from '../scripts/declared-objects.ts'
import { buildSite } from '../scripts/site/build.ts'
import { addressOf } from '../scripts/site/navigation.ts'

const site = buildSite()
const textOf = (name: string): string => String(site.files.get(name))
const named = (ending: string): readonly string[] => [...site.files.keys()].filter((name) => name.endsWith(ending))
const pages = named('.html')

/** Addresses of the site that a text refers to, as they are seen from where it lies. */
function referred(name: string, pattern: RegExp): readonly { readonly to: string; readonly hash: string }[] {
  return [...textOf(name).matchAll(pattern)]
    .map(([, href = '']) => href)
    .filter((href) => !/^[a-z]+:/i.test(href))
    .map((href) => {
      const [path = '', hash = ''] = href.split('#', 2)
      return { to: path === '' ? name : posix.join(posix.dirname(name), path), hash }
    })
}

const anchorsOf = (name: string): ReadonlySet<string> =>
  new Set([...textOf(name).matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id))

test('every link of a page, and every heading it names, is there', () => {
  assert.deepEqual(site.problems, [])
  const broken = pages.flatMap((name) =>
    referred(name, /(?:href|src)="([^"]*)"/g)
      .filter(({ to, hash }) => !site.files.has(to) || (hash !== '' && !anchorsOf(to).has(hash)))
      .map(({ to, hash }) => `${name}: ${to}#${hash}`),
  )
  assert.ok(pages.length > 50)
  assert.deepEqual(broken, [])
})

test('no id is given twice in a page', () => {
  for (const name of pages) {
    const ids = [...textOf(name).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(new Set(ids).size, ids.length, name)
  }
})

test('every page has a twin in Markdown, whose links lead to other twins', () => {
  for (const name of pages) {
    const twin = name.replace(/html$/, 'md')
    assert.match(textOf(twin), /^# /m, twin)
    const code = /^```[\s\S]*?^```$|`[^`\n]*`/gm
    const bare = new Map([[twin, textOf(twin).replaceAll(code, '')]])
    for (const [, href = ''] of (bare.get(twin) ?? '').matchAll(/\]\(([^)\s]+)\)/g)) {
      const [path = ''] = href.split('#', 1)
      if (/^[a-z]+:/i.test(href) || path === '') continue
      assert.ok(site.files.has(posix.join(posix.dirname(twin), path)), `${twin}: ${href}`)
    }
  }
})

test('llms.txt names every page once, each with a sentence', () => {
  const listed = [...textOf('llms.txt').matchAll(/^- \[.+\]\((.+)\): (.+)$/gm)]
  assert.deepEqual(new Set(listed.map(([, to]) => to)), new Set(named('.md')))
  assert.equal(listed.length, named('.md').length)
  for (const [line, , sentence = ''] of listed) assert.match(sentence, /^\S+ .+[.?]$/, line)
})

test('every page is in the menu of every page, and in what is searched', () => {
  const { pages: searched } = JSON.parse(textOf('search.json')) as { pages: { address: string }[] }
  assert.deepEqual(new Set(searched.map(({ address }) => `${address}.html`)), new Set(pages))
  for (const name of ['index.html', 'mcp.html']) {
    const menu = /<nav class="menu"[\s\S]*?<\/nav>/.exec(textOf(name))?.[0] ?? ''
    for (const page of pages) assert.ok(menu.includes(`href="${page}"`), `${name} does not lead to ${page}`)
  }
})

test('every page of docs/ has a place in scripts/site/navigation.ts', () => {
  const files = globSync('docs/**/*.md', { cwd: join(import.meta.dirname, '..') })
  assert.deepEqual(
    files.filter((file) => !site.files.has(`${addressOf(file)}.html`)),
    [],
  )
})

test('pages load nothing of another origin and run nothing inline', () => {
  for (const name of pages) {
    assert.match(textOf(name), /default-src 'none'/)
    assert.doesNotMatch(textOf(name), /(?:src|action)="[a-z]+:|<link[^>]+href="[a-z]+:/, name)
    assert.doesNotMatch(textOf(name), /<script(?! src=)|<style| style="| on\w+="/, name)
  }
})

test('docs/declared-objects.md is what `npm run docs` writes from the table of client fields', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/declared-objects.md'), 'utf8')
  assert.equal(page, declaredObjectsPage())
})
