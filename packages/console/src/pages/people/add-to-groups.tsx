/** Putting a person into groups, by their names. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { PickOfList, valuesOf } from '../../app/forms/pick-of-list.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { groups, held } from '../../messages/groups.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import type { Option } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { changedByMembers } from '../groups/take-out.tsx'
import type { Person } from './person.tsx'

export function AddToGroups({ person }: { readonly person: Person }) {
  const say = useSay()
  const [chosen, setChosen] = useState<readonly Option[]>([])
  const join = useAct(
    async (api) => {
      // A commit each: what was done stays done where a later one is refused.
      for (const id of valuesOf(chosen))
        await answered(
          api.POST('/v1/groups/{id}/change-members', { params: { path: { id } }, body: { add: [person.id] } }),
        )
    },
    { done: say(groups.added), refresh: changedByMembers },
  )
  const send = async (): Promise<void> => {
    if (chosen.length > 0 && (await join.run())) setChosen([])
  }
  return (
    <form onSubmit={sending(() => void send())}>
      <Card>
        <div className="field-beside">
          <PickOfList
            of="groups"
            label={say(held.addTo)}
            hint={say(held.groupsText)}
            value={chosen}
            onChange={setChosen}
          />
          <Button type="submit" kind="primary" busy={join.busy} disabled={chosen.length === 0}>
            {say(groups.add)}
          </Button>
        </div>
      </Card>
    </form>
  )
}
