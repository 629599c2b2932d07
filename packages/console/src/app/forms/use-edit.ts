/** Changing a thing that others may change, too: only changed fields are sent, and a change in between becomes a merge. */
import { useState } from 'react'
import { isChangedMeanwhile, type Versioned } from '../../api/client.ts'
import { type Conflict, isEqual, mergeChanges, withMine } from '../../api/merge.ts'
import { frame } from '../../messages/frame.ts'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useRefresh } from '../items/use-item.ts'
import { type Form, useForm } from './use-form.ts'

interface EditOptions<T, E extends object> {
  readonly name: string
  /** The list that the thing is in. */
  readonly list: string
  readonly item: Versioned<T>
  readonly editable: (value: T) => E
  readonly fields: readonly string[]
  readonly read: () => Promise<Versioned<T>>
  readonly write: (changes: Partial<E>, etag: string | null) => Promise<Versioned<T>>
}

export interface Edit<E extends object> {
  readonly form: Form<E>
  readonly conflicts: readonly Conflict[]
  save(): Promise<void>
  /** Goes on with what was chosen: the fields in which mine is to hold. */
  settle(mine: ReadonlySet<string>): void
  discard(): void
}

interface Meeting<E> {
  readonly theirs: E
  readonly merged: E
  readonly etag: string | null
  readonly conflicts: readonly Conflict[]
}

export function useEdit<T, E extends object>(options: EditOptions<T, E>): Edit<E> {
  const { name, list, item, editable, fields, read, write } = options
  const say = useSay()
  const toasts = useToasts()
  const refresh = useRefresh()
  const form = useForm({ name, initial: editable(item.value), fields })
  const [etag, setEtag] = useState(item.etag)
  const [meeting, setMeeting] = useState<Meeting<E> | null>(null)

  const changesOf = (values: E): Partial<E> =>
    Object.fromEntries(
      Object.entries(values).filter(([field, value]) => !isEqual(value, (form.base as Record<string, unknown>)[field])),
    ) as Partial<E>

  async function send(values: E): Promise<void> {
    try {
      await keep(await write(changesOf(values), etag))
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error
      const now = await read()
      const theirs = editable(now.value)
      // Something else of the thing was changed, nothing that this form shows.
      if (isEqual(theirs, form.base)) {
        setEtag(now.etag)
        return keep(await write(changesOf(values), now.etag))
      }
      const { merged, conflicts } = mergeChanges(form.base, values, theirs)
      if (conflicts.length > 0) setMeeting({ theirs, merged, etag: now.etag, conflicts })
      else {
        form.reset(theirs, merged)
        setEtag(now.etag)
      }
      throw new Error(say(frame.changedMeanwhile), { cause: error })
    }
  }
  async function keep(saved: Versioned<T>): Promise<void> {
    form.reset(editable(saved.value))
    setEtag(saved.etag)
    await refresh(list)
    toasts.done(say(frame.saved))
  }
  return {
    form,
    conflicts: meeting?.conflicts ?? [],
    save: async () => void (await form.submit(send)),
    settle(mine) {
      if (meeting === null) return
      form.reset(meeting.theirs, withMine(meeting.merged, meeting.conflicts, mine))
      setEtag(meeting.etag)
      setMeeting(null)
    },
    discard: () => form.reset(form.base),
  }
}
