/** What stands around the body of a page: menu, search, contents, and the ways on. */
import { relativeAddress } from './links.ts'
import { type NavigationGroup, navigation } from './navigation.ts'
import type { Heading, Page } from './pages.ts'
import { escaped } from './render.ts'

/** Everything comes from where the page comes from; nothing is inline. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

export interface Layout {
  readonly pages: readonly Page[]
  readonly page: Page
  readonly body: string
}

export function layoutPage({ pages, page, body }: Layout): string {
  const up = (address: string): string => relativeAddress(page, address)
  const home = page.address === 'index'
  const title = home ? 'Grantor: OAuth 2.1 and OpenID Connect for your APIs' : `${page.title} · Grantor`
  return `<!doctype html>
<html lang="en" data-root="${up('index').replace(/index$/, '')}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${escaped(page.summary)}">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title>
<link rel="icon" href="${up('mark.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${up('style.css')}">
<link rel="alternate" type="text/markdown" href="${up(page.address)}.md">
<script src="${up('theme.js')}"></script>
<script src="${up('site.js')}" defer></script>
</head>
<body class="${home ? 'home' : 'reading'}">
<a class="skip" href="#content">Skip to the text</a>
<header class="top">
<a class="brand" href="${up('index')}.html"><img src="${up('mark.svg')}" alt="" width="28" height="28"><span>Grantor</span></a>
<button type="button" class="search-button" data-opens-search hidden><span>Search</span><kbd>/</kbd></button>
<button type="button" class="theme-button" data-turns-theme hidden aria-label="Change colours"></button>
</header>
<div class="columns">
<nav class="menu" aria-label="Pages">
<details class="menu-fold"><summary>${escaped(page.group)}<span> / ${escaped(page.title)}</span></summary></details>
<div class="menu-groups">
${groupsOf(pages)
  .map((group) => menuGroup(group, pages, page))
  .join('\n')}
</div>
</nav>
<main id="content" tabindex="-1">
<article>
${body}${home ? cards(pages, page) : ''}</article>
${wayOn(pages, page)}
<footer><a href="${up(page.address)}.md">This page as Markdown</a><a href="${up('llms.txt')}">llms.txt</a></footer>
</main>
${contents(page.headings)}
</div>
<dialog class="search" aria-label="Search">
<div class="search-field"><input type="search" role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list" aria-label="Search the documentation" placeholder="Search the documentation" autocomplete="off" spellcheck="false"><button type="button" data-closes-search>Close</button></div>
<div id="found" role="listbox" aria-label="Found"></div>
<p class="search-state" role="status"></p>
</dialog>
</body>
</html>
`
}

/** Those that hold something. */
const groupsOf = (pages: readonly Page[]): readonly NavigationGroup[] =>
  navigation.filter(({ name }) => pages.some(({ group }) => group === name))

function menuGroup(group: NavigationGroup, pages: readonly Page[], page: Page): string {
  const items = pages
    .filter((other) => other.group === group.name)
    .map((other) => {
      const current = other === page ? ' aria-current="page"' : ''
      return `<li><a href="${relativeAddress(page, other.address)}.html"${current}>${escaped(shortTitle(other))}</a></li>`
    })
  const list = `<ul>${items.join('')}</ul>`
  if (group.folded !== true) return `<section><p class="menu-name">${group.name}</p>${list}</section>`
  const open = page.group === group.name ? ' open' : ''
  return `<details class="menu-more"${open}><summary class="menu-name">${group.name}</summary>${list}</details>`
}

const shortTitle = (page: Page): string => (page.address === 'index' ? 'Overview' : page.title)

/** Headings of two depths; a page with few of them is short enough without. */
function contents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ depth }) => depth === 2 || depth === 3)
  const listed = shown.length > 40 ? shown.filter(({ depth }) => depth === 2) : shown
  if (listed.length < 2) return '<div class="contents"></div>'
  const items = listed.map(
    ({ depth, text, anchor }) => `<li class="depth-${depth}"><a href="#${anchor}">${escaped(text)}</a></li>`,
  )
  return `<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${items.join('')}</ul></nav>`
}

function wayOn(pages: readonly Page[], page: Page): string {
  const at = pages.indexOf(page)
  const link = (other: Page | undefined, word: string): string =>
    other === undefined
      ? '<span></span>'
      : `<a class="${word.toLowerCase()}" href="${relativeAddress(page, other.address)}.html"><small>${word}</small>${escaped(shortTitle(other))}</a>`
  return `<nav class="way-on" aria-label="Neighbours">${link(pages[at - 1], 'Previous')}${link(pages[at + 1], 'Next')}</nav>`
}

/** All pages with their first sentences, below the text of the first one. */
function cards(pages: readonly Page[], page: Page): string {
  return groupsOf(pages)
    .filter(({ folded }) => folded !== true)
    .map(({ name }) => {
      const items = pages
        .filter((other) => other.group === name && other !== page)
        .map(
          (other) =>
            `<li><a href="${relativeAddress(page, other.address)}.html"><strong>${escaped(other.title)}</strong><span>${escaped(other.summary)}</span></a></li>`,
        )
      return `<section class="cards"><h2 id="${name.toLowerCase()}">${name}</h2><ul>${items.join('')}</ul></section>`
    })
    .join('\n')
}
