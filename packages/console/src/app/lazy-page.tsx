/**
 * A page that is loaded with its first visit. Where that fails the window stays as it is, with all that was typed in it,
 * and says so: the router's own way is to load the whole window anew, which ends at the browser's error page while the
 * server is away.
 */
import { type ComponentType, useEffect, useState } from 'react'
import { Skeleton } from '../ui/content.tsx'
import { PageFault } from './frame/page-fault.tsx'
import type { PageRow } from './page-row.ts'

interface LazyPage {
  readonly Page: ComponentType
  /** Before it is visited; a failure is met again there. */
  load(): Promise<void>
}

export function lazyPage(load: PageRow['load']): LazyPage {
  let loaded: ComponentType | null = null
  const once = async (): Promise<void> => {
    loaded ??= (await load()).Page
  }

  function Page() {
    const [, setTries] = useState(0)
    const [fault, setFault] = useState<unknown>(null)
    const isWaiting = loaded === null && fault === null
    useEffect(() => {
      if (!isWaiting) return
      once().then(() => setTries((tries) => tries + 1), setFault)
    }, [isWaiting])
    if (loaded !== null) {
      const Loaded = loaded
      return <Loaded />
    }
    if (fault !== null) return <PageFault whole error={fault} retry={() => setFault(null)} />
    return <Skeleton width="40%" />
  }
  return { Page, load: once }
}
