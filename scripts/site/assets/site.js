/** What the pages do beyond being read: search, colours, copy buttons, and the menu on small screens. */

const root = document.documentElement
const base = root.dataset.root

/* Colours */

const themeButton = document.querySelector('[data-turns-theme]')
const dark = () =>
  root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
const labelTheme = () => themeButton.setAttribute('aria-label', dark() ? 'Use light colours' : 'Use dark colours')
themeButton.hidden = false
labelTheme()
themeButton.addEventListener('click', () => {
  root.dataset.theme = dark() ? 'light' : 'dark'
  labelTheme()
  try {
    localStorage.setItem('theme', root.dataset.theme)
  } catch {
    // Lasts as long as the page then.
  }
})

/* Code */

for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.setAttribute('aria-label', 'Copy the code')
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent)
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
  figure.append(button)
}

/** What scrolls can be reached with the keyboard; what does not is no stop on the way. */
function markScrolling() {
  for (const box of document.querySelectorAll('figure.code pre, div.table')) {
    const scrolls = box.scrollWidth > box.clientWidth
    box.toggleAttribute('tabindex', scrolls)
    if (!scrolls) continue
    box.setAttribute('tabindex', '0')
    box.setAttribute('role', 'group')
    box.setAttribute('aria-label', box.matches('pre') ? 'Code' : 'Table')
  }
}
markScrolling()
addEventListener('resize', markScrolling)

/* Menu */

const current = document.querySelector('.menu [aria-current]')
const groups = document.querySelector('.menu-groups')
if (current && groups.scrollHeight > groups.clientHeight) groups.scrollTop = current.offsetTop - groups.clientHeight / 2

const entries = new Map(
  [...document.querySelectorAll('.contents a')].map((link) => [decodeURIComponent(link.hash.slice(1)), link]),
)
if (entries.size > 0) {
  const headings = [...entries.keys()].map((id) => document.getElementById(id)).filter(Boolean)
  const follow = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120)
    const here = passed.at(-1) ?? headings[0]
    for (const [id, link] of entries) link.toggleAttribute('data-here', id === here.id)
  }
  addEventListener('scroll', follow, { passive: true })
  follow()
}

/* Search */

const dialog = document.querySelector('dialog.search')
const input = dialog.querySelector('input')
const list = dialog.querySelector('#found')
const state = dialog.querySelector('[role=status]')
let index = null
let at = -1

const opener = document.querySelector('[data-opens-search]')
opener.hidden = false
opener.addEventListener('click', openSearch)
dialog.querySelector('[data-closes-search]').addEventListener('click', () => dialog.close())
dialog.addEventListener('click', (event) => {
  if (event.target === dialog) dialog.close()
})
addEventListener('keydown', (event) => {
  const typing = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]')
  const asked = (event.key === '/' && !typing) || (event.key === 'k' && (event.metaKey || event.ctrlKey))
  if (!asked || dialog.open) return
  event.preventDefault()
  void openSearch()
})

async function openSearch() {
  dialog.showModal()
  input.select()
  if (index !== null) return
  try {
    const { pages, sections } = await (await fetch(`${base}search.json`)).json()
    index = sections.map(([number, anchor, heading, words]) => {
      const page = pages[number]
      return {
        page,
        anchor,
        heading,
        words,
        title: page.title.toLowerCase(),
        head: heading.toLowerCase(),
        body: words.toLowerCase(),
      }
    })
    search()
  } catch {
    state.textContent = 'The search could not be loaded.'
  }
}

input.addEventListener('input', search)
input.addEventListener('keydown', (event) => {
  const count = list.children.length
  if (event.key === 'ArrowDown' && count > 0) choose((at + 1) % count)
  else if (event.key === 'ArrowUp' && count > 0) choose((at - 1 + count) % count)
  else if (event.key === 'Enter' && at >= 0) list.children[at].click()
  else return
  event.preventDefault()
})

function choose(next) {
  list.children[at]?.setAttribute('aria-selected', 'false')
  at = next
  const item = list.children[at]
  if (!item) return input.removeAttribute('aria-activedescendant')
  item.setAttribute('aria-selected', 'true')
  item.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', item.id)
}

/** Every word has to be there; where it stands says how much it counts. */
function scoreOf(section, words) {
  let score = 0
  for (const word of words) {
    const best =
      (section.head === word ? 40 : 0) +
      (begins(section.head, word) ? 20 : section.head.includes(word) ? 10 : 0) +
      (begins(section.title, word) ? 12 : section.title.includes(word) ? 6 : 0) +
      (begins(section.body, word) ? 4 : section.body.includes(word) ? 2 : 0)
    if (best === 0) return 0
    score += best
  }
  return (
    score +
    (section.anchor === '' ? 3 : 0) -
    (section.page.group === 'Decisions' || section.page.address === 'changelog' ? 8 : 0)
  )
}

const begins = (text, word) => {
  for (let from = text.indexOf(word); from >= 0; from = text.indexOf(word, from + 1))
    if (from === 0 || !/[\p{L}\p{N}]/u.test(text[from - 1])) return true
  return false
}

function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
  list.replaceChildren()
  at = -1
  if (index === null) return
  const found = words.length === 0 ? [] : index.map((section) => ({ section, score: scoreOf(section, words) }))
  const best = found.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  list.append(...best.slice(0, 20).map(({ section }, number) => itemOf(section, words, number)))
  input.setAttribute('aria-expanded', String(list.children.length > 0))
  state.textContent =
    words.length === 0
      ? 'Type to search; ↑ ↓ to choose, Enter to open.'
      : best.length === 0
        ? 'Nothing found.'
        : `${best.length} found`
  choose(best.length === 0 ? -1 : 0)
}

function itemOf({ page, anchor, heading, words: text, body }, words, number) {
  const link = document.createElement('a')
  link.id = `found-${number}`
  link.setAttribute('role', 'option')
  link.setAttribute('aria-selected', 'false')
  link.href = `${base}${page.address}.html${anchor === '' ? '' : `#${anchor}`}`
  link.tabIndex = -1
  const title = document.createElement('strong')
  title.append(...marked(heading, words))
  const where = document.createElement('small')
  where.textContent = anchor === '' ? page.group : `${page.group} / ${page.title}`
  const excerpt = document.createElement('span')
  const places = words.map((word) => body.indexOf(word)).filter((place) => place >= 0)
  // Some words before the first that was looked for, from the beginning of one.
  const from = places.length === 0 || Math.min(...places) < 60 ? 0 : text.indexOf(' ', Math.min(...places) - 50) + 1
  excerpt.append(...marked(`${from > 0 ? '… ' : ''}${text.slice(from, from + 170)}`, words))
  link.append(where, title, excerpt)
  link.addEventListener('mousemove', () => at !== number && choose(number))
  link.addEventListener('click', () => dialog.close())
  return link
}

/** The text with the words that were looked for in <mark>. */
function marked(text, words) {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`, 'gi')
  return text.split(pattern).map((part, number) => {
    if (number % 2 === 0) return part
    const mark = document.createElement('mark')
    mark.textContent = part
    return mark
  })
}
