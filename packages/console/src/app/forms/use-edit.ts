/** Changing a thing that others may change, too: only changed fields are sent, and a change in between becomes a merge. */
import { useEffect, useState } from 'react'
import { isChangedMeanwhile, type Versioned } from '../../api/client.ts'
import { type Conflict, isEqual, mergeChanges, withMine } from '../../api/merge.ts'
import { frame } from '../../messages/frame.ts'
import { useSay } from '../../ui/preferences.tsx'
import { useToasts } from '../../ui/toasts.tsx'
import { useRefresh } from '../items/use-item.ts'
import { latestDraft } from '../session/drafts.ts'
import { type Form, useForm } from './use-form.ts'

interface EditOptions<T, E extends object> {
  readonly name: string
  /** The list that the thing is in. */
  readonly list: string
  readonly item: Versioned<T>
  readonly editable: (value: T) => E
  readonly fields: readonly string[]
  /** Of `E`: what is kept nowhere. */
  readonly secrets?: readonly (keyof E & string)[]
  readonly read: () => Promise<Versioned<T>>
  readonly write: (changes: Partial<E>, etag: string | null) => Promise<Versioned<T>>
}

export interface Edit<E extends object> {
  readonly form: Form<E>
  readonly conflicts: readonly Conflict[]
  save(): Promise<void>
  /** Goes on with what was chosen: the fields in which mine is to hold. */
  settle(mine: ReadonlySet<string>): void
  /** Decides nothing: the next save asks again. */
  leave(): void
  discard(): void
}

interface Meeting<E> {
  readonly mine: E
  readonly theirs: E
  readonly merged: E
  readonly version: string | null
  readonly conflicts: readonly Conflict[]
}

export function useEdit<T, E extends object>(options: EditOptions<T, E>): Edit<E> {
  const { name, list, item, editable, fields, secrets = [], read, write } = options
  const say = useSay()
  const toasts = useToasts()
  const refresh = useRefresh()
  const shown = editable(item.value)
  const form = useForm<E>({ name, initial: shown, version: item.etag, fields, secrets, draft: latestDraft })
  const [meeting, setMeeting] = useState<Meeting<E> | null>(null)

  // The page has read another version: what nobody has touched follows it, what came back is put together with it.
  useEffect(() => {
    if (form.busy || meeting !== null || isEqual(shown, form.base)) return
    if (!form.changed) form.reset({ base: shown, version: item.etag })
    else if (form.restored) meet(form.values, item)
    // oxlint-disable-next-line react/exhaustive-deps -- what is typed is no reason to look at it again
  }, [item.etag])

  const changesOf = (values: E): Partial<E> =>
    Object.fromEntries(
      Object.entries(values).filter(([field, value]) => !isEqual(value, (form.base as Record<string, unknown>)[field])),
    ) as Partial<E>

  function meet(mine: E, { value, etag: version }: Versioned<T>): void {
    const theirs = editable(value)
    const { merged, conflicts } = mergeChanges(form.base, mine, theirs)
    if (conflicts.length > 0) setMeeting({ mine, theirs, merged, version, conflicts })
    else form.reset({ base: theirs, values: merged, version, sent: mine })
  }
  async function send(values: E): Promise<void> {
    try {
      // What the page read since then, unless it is older than what was saved.
      const seen = isEqual(shown, form.base) ? item.etag : form.version
      await keep(await write(changesOf(values), seen), values)
    } catch (error) {
      if (!isChangedMeanwhile(error)) throw error
      const now = await read()
      // Something else of the thing was changed, nothing that this form shows.
      if (isEqual(editable(now.value), form.base)) return keep(await write(changesOf(values), now.etag), values)
      meet(values, now)
      throw new Error(say(frame.changedMeanwhile), { cause: error })
    }
  }
  async function keep(saved: Versioned<T>, sent: E): Promise<void> {
    form.reset({ base: editable(saved.value), version: saved.etag, sent })
    await refresh(list)
    toasts.done(say(frame.saved))
  }
  return {
    form,
    conflicts: meeting?.conflicts ?? [],
    save: async () => void (await form.submit(send)),
    settle(chosen) {
      if (meeting === null) return
      const { mine, theirs, merged, version, conflicts } = meeting
      form.reset({ base: theirs, values: withMine(merged, conflicts, chosen), version, sent: mine })
      setMeeting(null)
    },
    leave: () => setMeeting(null),
    discard: () => form.reset({ base: shown, version: item.etag }),
  }
}
