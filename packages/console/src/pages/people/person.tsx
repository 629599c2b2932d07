/** A person as the pages know one, and their state in a word or two. */
import type { Schemas } from '../../api/client.ts'
import { people } from '../../messages/people.ts'
import { Badge } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'

export type Person = Schemas['Users'] & Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

export function PersonState({ person }: { readonly person: Person }) {
  const say = useSay()
  return (
    <span className="row">
      <Badge tone={person.disabled ? 'danger' : 'done'}>{say(person.disabled ? people.disabled : people.active)}</Badge>
      {person.administrator === undefined ? null : <Badge tone="info">{person.administrator}</Badge>}
    </span>
  )
}
