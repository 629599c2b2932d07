/** What comes next in the life of a key, and when. */
import type { Schemas } from '../../api/client.ts'
import { keys } from '../../messages/operate.ts'
import type { Words } from '../../messages/words.ts'
import { Clip } from '../../ui/content.tsx'
import { exactTime, relativeTime, useNow } from '../../ui/moment.tsx'
import { usePreferences, useSay } from '../../ui/preferences.tsx'

type Key = Schemas['Keys']

const ways: Readonly<Record<Key['state'], readonly [words: Words, at: (key: Key) => string | undefined]>> = {
  next: [keys.activates, (it) => it.activates_at],
  current: [keys.rotates, (it) => it.rotates_at],
  retiring: [keys.leaves, (it) => it.leaves_at],
  retired: [keys.gone, () => undefined],
}

export function WhatComes({ of }: { readonly of: Key }) {
  const say = useSay()
  const { language } = usePreferences()
  const now = useNow()
  const [words, at] = ways[of.state]
  const when = at(of)
  if (when === undefined) return <span className="muted">{of.state === 'retired' ? say(words) : '–'}</span>
  return (
    <div>
      <Clip>{say(words, { when: relativeTime((Date.parse(when) - now) / 1000, language) })}</Clip>
      <span className="muted small">
        <Clip>{exactTime(when, language, false)}</Clip>
      </span>
    </div>
  )
}
