/** Finds the best of some languages for the ranges that somebody asks for: RFC 4647 §3.4 lookup, then by likely subtags. */

/** The one of the tags that fits best; null where none is of any language asked for. */
export type Lookup<Tag extends string> = (ranges: readonly string[]) => Tag | null

/** RFC 5646 §4.4.1 has no tag in use that comes near it; longer ones are somebody's mischief. */
const longestTag = 64

/**
 * The first range that can be had wins, whole or shortened, or as another region writes the same language: `zh-CN` finds
 * `zh-Hans`, `pt-PT` finds `pt-BR`. What is written otherwise (`zh-Hant` for `zh-Hans`) is found only when no range can
 * be had, and is then better than a language that was not asked for at all.
 */
export function lookupAmong<Tag extends string>(offered: readonly Tag[]): Lookup<Tag> {
  const byTag = firstOf(offered, (tag) => tag.toLowerCase())
  const byScript = firstOf(offered, (tag) => likely(tag)?.written)
  const byLanguage = firstOf(offered, (tag) => likely(tag)?.language)
  return (ranges) => {
    const readable = ranges.filter((range) => range.length <= longestTag)
    for (const range of readable) {
      const found = shortened(range.toLowerCase(), byTag) ?? byScript.get(likely(range)?.written ?? '')
      if (found !== undefined) return found
    }
    for (const range of readable) {
      const found = byLanguage.get(likely(range)?.language ?? '')
      if (found !== undefined) return found
    }
    return null
  }
}

function firstOf<Tag extends string>(tags: readonly Tag[], keyOf: (tag: Tag) => string | undefined): Map<string, Tag> {
  const found = new Map<string, Tag>()
  for (const tag of tags) {
    const key = keyOf(tag)
    if (key !== undefined && !found.has(key)) found.set(key, tag)
  }
  return found
}

/** RFC 4647 §3.4: subtags are taken off the end, and a single letter never stays last. */
function shortened<Tag>(range: string, tags: ReadonlyMap<string, Tag>): Tag | undefined {
  for (let rest = range; rest !== ''; rest = rest.replace(/(?:^|(?:-[^-])?-)[^-]*$/, '')) {
    const found = tags.get(rest)
    if (found !== undefined) return found
  }
  return undefined
}

/** The language of a tag, and with the script it is most likely written in (UTS 35, likely subtags). */
function likely(tag: string): { readonly language: string; readonly written: string } | null {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    return { language, written: `${language}-${script ?? ''}` }
  } catch {
    // Not a tag.
    return null
  }
}
