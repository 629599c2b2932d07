/** Putting people into a group, by their names. */
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { PickOfList, valuesOf } from '../../app/forms/pick-of-list.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { groups } from '../../messages/groups.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import type { Option } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Group } from './list.tsx'
import { changedByMembers } from './take-out.tsx'

export function AddMembers({ group: { id } }: { readonly group: Group }) {
  const say = useSay()
  const [chosen, setChosen] = useState<readonly Option[]>([])
  const add = useAct(
    (api) => {
      const body = { add: [...valuesOf(chosen)] }
      return answered(api.POST('/v1/groups/{id}/change-members', { params: { path: { id } }, body }))
    },
    { done: say(groups.added), refresh: changedByMembers },
  )
  const send = async (): Promise<void> => {
    if (chosen.length > 0 && (await add.run())) setChosen([])
  }
  return (
    <form onSubmit={sending(() => void send())}>
      <Card>
        <div className="field-beside">
          <PickOfList
            of="people"
            label={say(groups.addMembers)}
            hint={say(groups.addMembersHint)}
            value={chosen}
            onChange={setChosen}
          />
          <Button type="submit" kind="primary" busy={add.busy} disabled={chosen.length === 0}>
            {say(groups.add)}
          </Button>
        </div>
      </Card>
    </form>
  )
}
