/** The table of a list: rows, the bars while they come, what to do where there are none, and the way to more. */
import type { MouseEvent, ReactNode } from 'react'
import { frame } from '../../messages/frame.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Empty, Skeleton } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { PageFault } from '../frame/page-fault.tsx'
import type { ListView } from './use-list.ts'

export interface Column<T> {
  /** Empty for a column of buttons. */
  readonly title: string
  readonly cell: (item: T) => ReactNode
  /** A part of the width, as CSS has it. */
  readonly width?: string
  readonly end?: boolean
}

interface ListTableProps<T> {
  readonly label: string
  readonly list: ListView<T>
  readonly columns: readonly Column<T>[]
  readonly keyOf: (item: T) => string
  /** What to do where the list is empty without any filter. */
  readonly empty: ReactNode
}

export function ListTable<T>({ label, list, columns, keyOf, empty }: ListTableProps<T>) {
  const say = useSay()
  const { result } = list
  if (result.isError && result.data === undefined)
    return (
      <Card>
        <PageFault error={result.error} retry={() => void result.refetch()} />
      </Card>
    )
  // What was on it is gone, or the link was to a place of another day: of the other pages that says nothing.
  if (result.data?.items.length === 0 && list.previous !== null)
    return (
      <Card>
        <Empty icon="search" title={say(frame.pageEmpty)} text={say(frame.pageEmptyText)} />
        <Pager list={list} />
      </Card>
    )
  if (result.data?.items.length === 0)
    return <Card>{list.filtered ? <NothingMatches clear={list.clear} /> : empty}</Card>
  return (
    <Card flush>
      <div className="table-wrap">
        <table className="table" aria-label={label} aria-busy={result.isPending || result.isPlaceholderData}>
          <thead>
            <tr>
              {columns.map(({ title, width, end = false }) => (
                <th key={title} scope="col" className={end ? 'end' : undefined} style={{ inlineSize: width }}>
                  {title === '' ? <span className="hidden-label">{say(frame.actions)}</span> : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {result.data === undefined
              ? skeletonRows(columns.length)
              : result.data.items.map((item) => <Row key={keyOf(item)} item={item} columns={columns} />)}
          </tbody>
        </table>
      </div>
      <Pager list={list} />
    </Card>
  )
}

/** Pressing anywhere follows the row's own link, as people expect; the keyboard has the link itself. */
function follow(event: MouseEvent<HTMLTableRowElement>): void {
  const pressed = event.target as HTMLElement
  if (pressed.closest('a, button, input, [role="menuitem"]') === null)
    event.currentTarget.querySelector<HTMLElement>('a.row-link, .row-button')?.click()
}

function Row<T>({ item, columns }: { readonly item: T; readonly columns: readonly Column<T>[] }) {
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the link inside is what the keyboard reaches
    <tr onClick={follow} data-link="">
      {columns.map(({ title, cell, end = false }) => (
        <td key={title} data-label={title} className={end ? 'end' : undefined}>
          {cell(item)}
        </td>
      ))}
    </tr>
  )
}

const skeletonRows = (columns: number): ReactNode =>
  Array.from({ length: 6 }, (_, row) => (
    <tr key={row}>
      {Array.from({ length: columns }, (__, column) => (
        <td key={column} data-label="">
          <Skeleton width={column === 0 ? '70%' : '45%'} />
        </td>
      ))}
    </tr>
  ))

function NothingMatches({ clear }: { readonly clear: () => void }) {
  const say = useSay()
  return (
    <Empty icon="search" title={say(frame.nothingMatches)} text={say(frame.nothingMatchesText)}>
      <Button onClick={clear}>{say(frame.clearFilters)}</Button>
    </Empty>
  )
}

function Pager<T>({ list }: { readonly list: ListView<T> }) {
  const say = useSay()
  const { next, previous, page } = list
  if (next === null && previous === null) return null
  return (
    <div className="pager">
      <span>{say(frame.pageOf, { n: page })}</span>
      <Button size="small" icon="left" disabled={previous === null} onClick={previous ?? undefined}>
        {say(frame.previousPage)}
      </Button>
      <Button size="small" icon="right" disabled={next === null} onClick={next ?? undefined}>
        {say(frame.nextPage)}
      </Button>
    </div>
  )
}
