/** Checks of reading: pages of a list, and ETags of items. */
import { type Check, expect, failed, noItem, noList, passed, skipped } from '../check.ts'
import { isObject } from '../model.ts'
import { entriesOf, jsonOf, listTarget, seen } from '../targets.ts'

const nextLink = (header: string | undefined): string | null =>
  /<([^>]{1,4000})>\s*;[^,]*\brel="?next\b/.exec(header ?? '')?.[1] ?? null

export const readingChecks: readonly Check[] = [
  {
    name: 'an item has an ETag',
    group: 'conditions',
    clause: 'RFC 9110 §8.8.3',
    remedy: 'send ETag with every representation of an item',
    async run(context) {
      const item = await context.item()
      if (item === null || item.status !== 200) return noItem
      return expect(
        /^(?:W\/)?"[^"]*"$/.test(item.headers.get('etag') ?? ''),
        `ETag: ${item.headers.get('etag') ?? 'none'}`,
      )
    },
  },
  {
    name: 'an unchanged item is 304',
    group: 'conditions',
    clause: 'RFC 9110 §13.1.2, §15.4.5',
    remedy: 'answer If-None-Match with the present ETag with 304, with that ETag and without a body',
    async run(context) {
      const item = await context.item()
      const tag = item?.headers.get('etag')
      if (item === null || context.itemPath() === null) return noItem
      if (tag === undefined) return item.status === 200 ? skipped('the item has no ETag') : noItem
      const again = await context.send({ target: context.itemPath() ?? '', headers: { 'if-none-match': tag } })
      if (again.status !== 304) return failed(seen(again))
      return expect(again.body === '' && again.headers.get('etag') === tag, '304 with a body or without the ETag')
    },
  },
  {
    name: 'a page goes on to the next',
    group: 'paging',
    clause: 'RFC 8288 §3, docs/conventions.md, lists',
    remedy: 'take limit and cursor; give next_cursor and Link: <…>; rel="next"; pages share no entry',
    async run(context) {
      const target = listTarget(context.api)
      if (target === null) return noList
      if (!(context.api.list?.parameters ?? []).some(({ name }) => name === 'limit')) return failed('there is no limit')
      const asked = `${target}?limit=1`
      const first = await context.send({ target: asked })
      const entries = entriesOf(jsonOf(first))
      if (first.status !== 200 || entries === null) return failed(`limit=1 ${seen(first)}`)
      if (entries.length > 1) return failed(`limit=1 gives ${entries.length} entries`)
      const page = jsonOf(first)
      const cursor = isObject(page) ? page['next_cursor'] : undefined
      const link = nextLink(first.headers.get('link'))
      if (link === null && typeof cursor !== 'string') {
        const all = entriesOf(jsonOf((await context.list()) ?? first)) ?? []
        return all.length > 1
          ? failed('a page that is not the last says nothing of the next')
          : skipped('too few entries')
      }
      const following = typeof cursor === 'string' ? `${asked}&cursor=${encodeURIComponent(cursor)}` : asked
      // RFC 8288 §3.1: a link is relative to the URL of its page.
      const url = URL.parse(link ?? following, context.origin + asked)
      if (url === null || url.origin !== context.origin) return failed('the next page is at another host')
      const second = await context.send({ target: url.pathname + url.search })
      const more = entriesOf(jsonOf(second))
      if (second.status !== 200 || more === null) return failed(`the next page ${seen(second)}`)
      const repeated = JSON.stringify(more[0]) === JSON.stringify(entries[0])
      return repeated
        ? failed('the next page begins with the same entry')
        : link === null
          ? failed('no Link')
          : passed()
    },
  },
  {
    name: 'a wrong limit or cursor is 400',
    group: 'paging',
    clause: 'RFC 9110 §15.5.1',
    remedy: 'refuse limit=x and cursors that are not yours, naming the parameter',
    async run(context) {
      const target = listTarget(context.api)
      if (target === null) return noList
      const names = new Set((context.api.list?.parameters ?? []).map(({ name }) => name))
      const asked = ['limit=x', 'cursor=grantor-api-check'].filter((pair) => names.has(pair.split('=')[0] ?? ''))
      if (asked.length === 0) return skipped('the list is not paged by limit and cursor')
      const wrong: string[] = []
      for (const query of asked) {
        const answer = await context.send({ target: `${target}?${query}` })
        if (answer.status !== 400 && answer.status !== 422) wrong.push(`${query} ${seen(answer)}`)
      }
      return expect(wrong.length === 0, wrong.join('; '))
    },
  },
]
