/** The page of one thing: bars while it comes, why not where it does not, and then what there is. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Versioned } from '../../api/client.ts'
import { Card, PageHeader, Skeleton } from '../../ui/content.tsx'
import { PageFault } from '../frame/page-fault.tsx'

interface ItemPageProps<T> {
  readonly result: UseQueryResult<Versioned<T>>
  readonly above: ReactNode
  readonly children: (item: Versioned<T>) => ReactNode
}

export function ItemPage<T>({ result, above, children }: ItemPageProps<T>) {
  if (result.data !== undefined) return children(result.data)
  if (result.isError)
    return (
      <>
        {above}
        <PageFault whole error={result.error} retry={() => void result.refetch()} />
      </>
    )
  return (
    <div aria-busy="true">
      <PageHeader above={above} title={<Skeleton width="14rem" />} text={<Skeleton width="24rem" />} />
      <Card>
        <div className="stack-small">
          <Skeleton width="40%" />
          <Skeleton width="65%" />
          <Skeleton width="55%" />
        </div>
      </Card>
    </div>
  )
}
