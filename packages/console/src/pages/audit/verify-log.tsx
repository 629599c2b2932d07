/** Verifying the whole log: begun as deferred work, watched while it runs, and told at its end. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { answered } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { faultsOf } from '../../app/forms/use-form.ts'
import { frame } from '../../messages/frame.ts'
import { logTools } from '../../messages/operate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { LogReport, type Report } from './log-report.tsx'

/** The progress is asked for this often. */
const every = 500

export function VerifyLog() {
  const say = useSay()
  const { api } = useConsole()
  const [open, setOpen] = useState(false)
  const [operation, setOperation] = useState<string | null>(null)
  const [fault, setFault] = useState<string | undefined>()
  const path = { id: operation ?? '' }
  const watched = useQuery({
    queryKey: ['/v1/operations', operation],
    queryFn: () => answered(api.GET('/v1/operations/{id}', { params: { path } })),
    enabled: operation !== null,
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.ended_at !== null ? false : every),
  })
  const status = operation === null ? null : (watched.data?.status ?? 'pending')
  const report = useQuery({
    queryKey: ['/v1/operations', operation, 'result'],
    queryFn: async () => (await answered(api.GET('/v1/operations/{id}/result', { params: { path } }))) as Report,
    enabled: status === 'succeeded',
  })
  const begin = async (): Promise<void> => {
    setFault(undefined)
    try {
      const begun = await answered(api.POST('/v1/events/verify', { body: {} }))
      setOperation((begun as { readonly id: string }).id)
    } catch (error) {
      setFault([...faultsOf(error, say).values()].join(' ') || undefined)
    }
  }
  const stop = (): void => void api.DELETE('/v1/operations/{id}', { params: { path } }).catch(() => {})
  const runs = status === 'pending' || status === 'running'
  const ended = status !== null && !runs
  const close = (): void => {
    setOpen(false)
    if (ended) setOperation(null)
  }
  const problem = watched.data?.error as { readonly detail?: string; readonly title?: string } | null | undefined
  return (
    <>
      <Button icon="check" onClick={() => setOpen(true)}>
        {say(logTools.verify)}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={say(logTools.verifyTitle)}
        footer={
          <>
            <Button onClick={close}>{say(frame.close)}</Button>
            {runs ? (
              <Button kind="danger" onClick={stop}>
                {say(logTools.stop)}
              </Button>
            ) : (
              <Button kind="primary" onClick={() => void begin()}>
                {say(ended ? logTools.again : logTools.begin)}
              </Button>
            )}
          </>
        }
      >
        <p className="muted">{say(logTools.verifyText)}</p>
        {fault === undefined ? null : <Fault>{fault}</Fault>}
        <div aria-live="polite" className="stack-small">
          {runs ? <Progress of={watched.data?.progress ?? null} /> : null}
          {status === 'canceled' ? <p>{say(logTools.canceled)}</p> : null}
          {status === 'failed' ? <Fault>{problem?.detail ?? problem?.title ?? say(frame.failed)}</Fault> : null}
          {status === 'succeeded' && report.data !== undefined ? <LogReport report={report.data} /> : null}
        </div>
      </Dialog>
    </>
  )
}

function Progress({ of }: { readonly of: { readonly done: number; readonly total: number | null } | null }) {
  const say = useSay()
  const { done, total } = of ?? { done: 0, total: null }
  const words = total === null ? say(logTools.verifyingSome, { done }) : say(logTools.verifying, { done, total })
  return (
    <>
      <progress
        className="progress"
        aria-label={say(logTools.verifyTitle)}
        {...(total === null ? {} : { value: done, max: Math.max(total, 1) })}
      />
      <span className="muted small">{words}</span>
    </>
  )
}
