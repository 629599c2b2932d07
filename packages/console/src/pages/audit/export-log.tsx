/** Taking the log away: read part by part as lines of JSON, and saved as one file. */
import { useRef, useState } from 'react'
import { problemOf } from '../../api/problem.ts'
import type { AdminApi } from '../../api/client.ts'
import { useConsole } from '../../app/console-context.ts'
import { faultsOf } from '../../app/forms/use-form.ts'
import { frame } from '../../messages/frame.ts'
import { logTools } from '../../messages/operate.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Fault } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

type State =
  | { readonly kind: 'idle' }
  | { readonly kind: 'reading'; readonly events: number }
  | { readonly kind: 'done'; readonly events: number }
  | { readonly kind: 'failed'; readonly fault: string }

export function ExportLog() {
  const say = useSay()
  const { api, place, session } = useConsole()
  const [open, setOpen] = useState(false)
  const [state, setState] = useState<State>({ kind: 'idle' })
  const stopped = useRef(false)
  const close = (): void => {
    stopped.current = true
    setOpen(false)
    setState({ kind: 'idle' })
  }
  const begin = async (): Promise<void> => {
    stopped.current = false
    session.askAgain()
    setState({ kind: 'reading', events: 0 })
    try {
      const parts: string[] = []
      let events = 0
      for await (const part of partsOf(api)) {
        if (stopped.current) return
        parts.push(part)
        events += part.split('\n').length - 1
        setState({ kind: 'reading', events })
      }
      const day = new Date().toISOString().slice(0, 10)
      save(new Blob(parts, { type: 'application/x-ndjson' }), `events-${place.tenant ?? 'deployment'}-${day}.ndjson`)
      setState({ kind: 'done', events })
    } catch (error) {
      if (!stopped.current) setState({ kind: 'failed', fault: [...faultsOf(error, say).values()].join(' ') })
    }
  }
  const reads = state.kind === 'reading'
  return (
    <>
      <Button icon="out" onClick={() => setOpen(true)}>
        {say(logTools.export)}
      </Button>
      <Dialog
        open={open}
        onClose={close}
        title={say(logTools.exportTitle)}
        footer={
          <>
            <Button onClick={close}>{say(reads ? frame.cancel : frame.close)}</Button>
            <Button kind="primary" busy={reads} onClick={() => void begin()}>
              {say(logTools.export)}
            </Button>
          </>
        }
      >
        <p className="muted">{say(logTools.exportText)}</p>
        <div aria-live="polite" className="stack-small">
          {reads ? (
            <>
              <progress className="progress" aria-label={say(logTools.exportTitle)} />
              <span className="muted small">{say(logTools.exporting, { n: state.events })}</span>
            </>
          ) : null}
          {state.kind === 'done' ? <p>{say(logTools.exported, { n: state.events })}</p> : null}
          {state.kind === 'failed' && state.fault !== '' ? <Fault>{state.fault}</Fault> : null}
        </div>
      </Dialog>
    </>
  )
}

/** Each answer names the place that the next begins at. */
async function* partsOf(api: AdminApi): AsyncGenerator<string> {
  for (let id: string | undefined = '0'; id !== undefined;) {
    const { data, error, response } = (await api.GET('/v1/events/{id}/export', {
      params: { path: { id } },
      parseAs: 'text',
    })) as { readonly data?: string; readonly error?: unknown; readonly response: Response }
    if (!response.ok) throw problemOf(response.status, error)
    yield data ?? ''
    id = /\/v1\/events\/(\d+)\/export>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
}

function save(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // Once the browser has begun to save it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
