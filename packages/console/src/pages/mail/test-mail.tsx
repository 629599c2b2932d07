/** Sends a mail to try it out, follows it through the queue, and says in words what came of it. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type AdminApi, answered } from '../../api/client.ts'
import { ApiProblem } from '../../api/problem.ts'
import { useConsole } from '../../app/console-context.ts'
import { useForm } from '../../app/forms/use-form.ts'
import { useRefresh } from '../../app/items/use-item.ts'
import { mail } from '../../messages/mail.ts'
import { Button } from '../../ui/button.tsx'
import { Card, Notice } from '../../ui/content.tsx'
import { sending } from '../../ui/dialog.tsx'
import { Fault, given, TextField } from '../../ui/field.tsx'
import { useSay } from '../../ui/preferences.tsx'

interface Sent {
  readonly id: string
  readonly to: string
  /** Where the log stood before; null where it may not be read. */
  readonly after: number | null
}

type Outcome =
  | { readonly kind: 'queued' }
  | { readonly kind: 'failing'; readonly error: string }
  | { readonly kind: 'sent' }
  | { readonly kind: 'given-up'; readonly reason: string }
  /** It has left the queue, and the log may not be read. */
  | { readonly kind: 'gone' }

/** While the mail is on its way. */
const interval = 1500

export function TestMail() {
  const say = useSay()
  const { api, session } = useConsole()
  const refresh = useRefresh()
  const [sent, setSent] = useState<Sent | null>(null)
  const form = useForm({ name: 'test-mail', initial: { to: '' }, fields: ['to'] })
  const send = async ({ to }: { readonly to: string }): Promise<void> => {
    setSent(null)
    const after = session.may('admin:events:read') ? await endOfLog(api) : null
    const queued = await answered(api.POST('/v1/mails/test', { body: { to: to.trim() } }))
    setSent({ id: (queued as { readonly id: string }).id, to: to.trim(), after })
    await refresh('/v1/mails')
  }
  return (
    <Card title={say(mail.test)} text={say(mail.testText)}>
      <form className="stack-small" onSubmit={sending(() => void form.submit(send))} noValidate>
        <div className="field-beside">
          <TextField
            label={say(mail.address)}
            type="email"
            value={form.values.to}
            onChange={(to) => form.set({ to })}
            {...given({ fault: form.faultOf('to') })}
          />
          <Button type="submit" kind="primary" icon="mail" busy={form.busy}>
            {say(mail.send)}
          </Button>
        </div>
        {form.fault === undefined ? null : <Fault>{form.fault}</Fault>}
        <div aria-live="polite">{sent === null ? null : <TestOutcome key={sent.id} sent={sent} />}</div>
      </form>
    </Card>
  )
}

function TestOutcome({ sent }: { readonly sent: Sent }) {
  const say = useSay()
  const { api } = useConsole()
  const { data } = useQuery({
    queryKey: ['test-mail', sent.id],
    queryFn: () => outcomeOf(api, sent),
    refetchInterval: ({ state }) => (['sent', 'given-up', 'gone'].includes(state.data?.kind ?? '') ? false : interval),
  })
  const { to } = sent
  if (data === undefined || data.kind === 'queued') return <Notice>{say(mail.testQueued, { to })}</Notice>
  if (data.kind === 'failing')
    return (
      <Notice tone="warning" title={say(mail.testFailing)}>
        {say(mail.testFailingText, { error: data.error })}
      </Notice>
    )
  if (data.kind === 'sent')
    return (
      <Notice tone="done" title={say(mail.testSent)}>
        {say(mail.testSentText, { to })}
      </Notice>
    )
  if (data.kind === 'gone') return <Notice title={say(mail.testGone)}>{say(mail.testGoneText)}</Notice>
  const refused = data.reason === 'refused'
  return (
    <Notice tone="danger" title={say(refused ? mail.testRefused : mail.testGivenUp)}>
      {refused ? say(mail.testRefusedText, { to }) : say(mail.testGivenUpText, { to, reason: data.reason })}
    </Notice>
  )
}

async function endOfLog(api: AdminApi): Promise<number> {
  const { items } = await answered(api.GET('/v1/events', { params: { query: { limit: 1 } } }))
  return items[0]?.seq ?? 0
}

async function outcomeOf(api: AdminApi, { id, after }: Sent): Promise<Outcome> {
  try {
    const waiting = await answered(api.GET('/v1/mails/{id}', { params: { path: { id } } }))
    return waiting.last_error === undefined ? { kind: 'queued' } : { kind: 'failing', error: waiting.last_error }
  } catch (error) {
    if (!(error instanceof ApiProblem && error.status === 404)) throw error
  }
  if (after === null) return { kind: 'gone' }
  // The log does not name mails: the first test since is ours, unless another administrator tries it at this moment.
  const query = { 'seq[gt]': after, 'name[in]': ['mail.sent', 'mail.failed'], sort: 'seq' }
  const { items } = await answered(api.GET('/v1/events', { params: { query: query as never } }))
  const end = items.find(({ data }) => data?.['kind'] === 'test')
  if (end === undefined) return { kind: 'queued' }
  return end.name === 'mail.sent' ? { kind: 'sent' } : { kind: 'given-up', reason: end.reason ?? '–' }
}
