/** The signing keys: which signs, which comes, which goes, and when; rotated, and dropped where one has leaked. */
import { useState } from 'react'
import { answered, type Schemas } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { ConfirmButton } from '../../app/items/confirm-button.tsx'
import { useAct } from '../../app/items/use-act.ts'
import { type Column, ListTable } from '../../app/lists/list-table.tsx'
import { useList } from '../../app/lists/use-list.ts'
import { keys } from '../../messages/operate.ts'
import type { Words } from '../../messages/words.ts'
import { Badge, Empty, PageHeader, type Tone } from '../../ui/content.tsx'
import { Moment } from '../../ui/moment.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { PublicKey } from './public-key.tsx'
import { RotateKeys } from './rotate.tsx'
import { WhatComes } from './what-comes.tsx'

type Key = Schemas['Keys']

/** In the order of a key's life. */
const states: Readonly<Record<Key['state'], { readonly words: Words; readonly tone: Tone; readonly rank: number }>> = {
  current: { words: keys.stateCurrent, tone: 'done', rank: 0 },
  next: { words: keys.stateNext, tone: 'info', rank: 1 },
  retiring: { words: keys.stateRetiring, tone: 'warning', rank: 2 },
  retired: { words: keys.stateRetired, tone: 'plain', rank: 3 },
}

/** Countdowns move while one looks. */
const every = 30_000

export function Page() {
  const say = useSay()
  const { session } = useConsole()
  const [shown, setShown] = useState<Key | null>(null)
  const mayWrite = session.may('admin:keys:write')
  const held = useList('/v1/keys', { filters: [], refetchInterval: every })
  const data = held.result.data
  const list =
    data === undefined
      ? held
      : {
          ...held,
          result: {
            ...held.result,
            data: {
              ...data,
              items: data.items.toSorted(
                (a, b) => states[a.state].rank - states[b.state].rank || a.alg.localeCompare(b.alg),
              ),
            },
          } as typeof held.result,
        }
  const columns: readonly Column<Key>[] = [
    {
      title: say(keys.key),
      width: '24%',
      cell: (it) => (
        <button type="button" className="row-button mono clip" title={it.id} onClick={() => setShown(it)}>
          {it.id}
        </button>
      ),
    },
    { title: say(keys.algorithm), width: '11%', cell: (it) => it.alg },
    {
      title: say(keys.state),
      width: '13%',
      cell: (it) => <Badge tone={states[it.state].tone}>{say(states[it.state].words)}</Badge>,
    },
    {
      title: say(keys.since),
      width: '15%',
      cell: (it) =>
        it.state === 'next' ? <span className="muted">{say(keys.notYet)}</span> : <Moment at={it.activates_at} />,
    },
    { title: say(keys.upcoming), cell: (it) => <WhatComes of={it} /> },
    ...(mayWrite ? [{ title: '', end: true, width: '8rem', cell: (it: Key) => <DropKey id={it.id} /> }] : []),
  ]
  return (
    <>
      <PageHeader title={say(keys.title)} text={say(keys.text)} actions={mayWrite ? <RotateKeys /> : undefined} />
      <ListTable
        label={say(keys.title)}
        list={list}
        columns={columns}
        keyOf={(it) => it.id}
        empty={<Empty icon="lock" title={say(keys.none)} text={say(keys.noneText)} />}
      />
      <PublicKey shown={shown} onClose={() => setShown(null)} />
    </>
  )
}

/** Asks for a fresh sign-in with two factors: the server says so, and the console leads there and back. */
function DropKey({ id }: { readonly id: string }) {
  const say = useSay()
  const drop = useAct((api) => answered(api.DELETE('/v1/keys/{id}', { params: { path: { id } } })), {
    done: say(keys.dropped),
    refresh: ['/v1/keys', '/v1/events'],
  })
  return (
    <ConfirmButton
      size="small"
      action={say(keys.drop)}
      title={say(keys.dropTitle, { kid: `${id.slice(0, 8)}…` })}
      text={say(keys.dropText)}
      busy={drop.busy}
      onConfirm={() => drop.run()}
    />
  )
}
