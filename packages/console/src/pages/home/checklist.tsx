/** The first steps, until a client works; then it is gone. */
import { useQuery } from '@tanstack/react-query'
import { readPage } from '../../api/lists.ts'
import { useConsole } from '../../app/console-context.ts'
import { ButtonLink } from '../../app/link.tsx'
import { clients as clientWords } from '../../messages/clients.ts'
import { home } from '../../messages/home.ts'
import { people as peopleWords } from '../../messages/people.ts'
import type { Words } from '../../messages/words.ts'
import { Card } from '../../ui/content.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useSay } from '../../ui/preferences.tsx'
import type { Day } from './statistics.ts'

/** What every deployment has from the start. */
const builtIn = new Set(['grantor-cli', 'grantor-console'])

interface Step {
  readonly title: Words
  readonly text: Words
  readonly done: boolean
  readonly way: { readonly to: string; readonly label: Words } | null
}

export function Checklist({ day }: { readonly day: Day | null }) {
  const say = useSay()
  const { api, session } = useConsole()
  const enabled = session.may('admin:clients:write') && session.may('admin:users:read')
  const clients = useQuery({
    queryKey: ['/v1/clients', 'first'],
    queryFn: () => readPage(api, '/v1/clients', { limit: 5 }),
    enabled,
  })
  const people = useQuery({
    queryKey: ['/v1/users', 'first'],
    queryFn: () => readPage(api, '/v1/users', { limit: 2 }),
    enabled,
  })
  if (clients.data === undefined || people.data === undefined || day === null) return null
  const hasClient = clients.data.items.some(({ id }) => !builtIn.has(id))
  const steps: readonly Step[] = [
    {
      title: home.stepClient,
      text: home.stepClientText,
      done: hasClient,
      way: { to: '/new-client', label: clientWords.create },
    },
    {
      title: home.stepToken,
      text: home.stepTokenText,
      // The console's own token is no sign that a client works.
      done: hasClient && day.totalOf('issued') > 1,
      way: { to: '/clients', label: clientWords.title },
    },
    {
      title: home.stepPerson,
      text: home.stepPersonText,
      done: people.data.items.length > 1,
      way: { to: '/new-person', label: peopleWords.create },
    },
  ]
  if (steps.every(({ done }) => done)) return null
  return (
    <Card flush title={say(home.start)} text={say(home.startText)}>
      <ol className="steps">
        {steps.map(({ title, text, done, way }, at) => (
          <li className={done ? 'step step-done' : 'step'} key={say(title)}>
            <span className="step-mark">{done ? <Icon name="check" size={16} /> : at + 1}</span>
            <div>
              <strong>{say(title)}</strong>
              <p>{say(text)}</p>
            </div>
            {done || way === null ? null : <ButtonLink to={way.to}>{say(way.label)}</ButtonLink>}
          </li>
        ))}
      </ol>
    </Card>
  )
}
