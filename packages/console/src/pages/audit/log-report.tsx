/** What the verification of the log found: nothing, with the head to be kept; or every place that is not as it was written. */
import { logTools } from '../../messages/operate.ts'
import { Code, Copyable } from '../../ui/code.tsx'
import { Notice } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'

export interface Report {
  readonly ok: boolean
  readonly events: number
  readonly from: number
  readonly head: { readonly seq: number; readonly hash: string } | null
  readonly damage: readonly object[]
}

export function LogReport({ report: { ok, events, from, head, damage } }: { readonly report: Report }) {
  const say = useSay()
  if (!ok)
    return (
      <>
        <Notice tone="danger" title={say(logTools.damaged)} />
        <Code text={JSON.stringify(damage, null, 2)} label={say(logTools.damage)} />
      </>
    )
  return (
    <>
      <Notice tone="done" title={say(logTools.whole)}>
        {say(logTools.wholeText, { n: events, from })}
      </Notice>
      {head === null ? null : (
        <>
          <span className="muted small">{say(logTools.head)}</span>
          <Copyable text={`${head.seq} ${head.hash}`} label={say(logTools.head)} />
        </>
      )}
    </>
  )
}
