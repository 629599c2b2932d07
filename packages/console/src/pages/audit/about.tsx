/** Who did what an event says, and whom it is about. */
import { audit } from '../../messages/people.ts'
import { Clip } from '../../ui/content.tsx'
import { useSay } from '../../ui/preferences.tsx'
import { PersonLink } from '../people/person-link.tsx'

interface AboutProps {
  readonly of: { readonly client_id?: string; readonly subject?: string }
}

export const About = ({ of: { client_id: client, subject } }: AboutProps) =>
  client === undefined && subject !== undefined ? <PersonLink id={subject} /> : <Clip>{client ?? '–'}</Clip>

/** Both, where both are known: whose access it was, and of which client. */
export function AboutBoth({ of }: AboutProps) {
  const { client_id: client, subject } = of
  if (client === undefined || subject === undefined || subject === client) return <About of={of} />
  return (
    <div>
      <PersonLink id={subject} />
      <div className="muted small">
        <Clip>{client}</Clip>
      </div>
    </div>
  )
}

export function Actor({ of: { kind, id } }: { readonly of: { readonly kind: string; readonly id?: string } }) {
  const say = useSay()
  if (id === undefined) return <Clip>{kind === 'system' || kind === 'operator' ? say(audit[kind]) : kind}</Clip>
  return kind === 'user' ? <PersonLink id={id} /> : <Clip>{id}</Clip>
}
